import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useMap } from 'react-leaflet'
import { MapHost } from './map-host.tsx'
import { type OwnMoves, prefersStillness } from './own-moves.ts'
import type { ResultPin } from './types.ts'

interface CardProps {
  pin: ResultPin
  /** Whether the card takes the focus: yes when the person opened it on the map. */
  takesFocus: boolean
  onClose: () => void
  children: ReactNode
}

/** The card of the selected pin, standing on it; the map moves so that all of it is seen. */
export function StandingCard({ moves, ...card }: CardProps & { moves: OwnMoves }) {
  const map = useMap()
  const box = useRef<HTMLDivElement>(null)
  const { lat, lon } = card.pin
  useEffect(() => {
    if (!box.current) return
    const inner = box.current.getBoundingClientRect()
    const outer = map.getContainer().getBoundingClientRect()
    const x =
      Math.min(0, inner.left - outer.left - 12) + Math.max(0, inner.right - outer.right + 64)
    const y =
      Math.min(0, inner.top - outer.top - 68) + Math.max(0, inner.bottom - outer.bottom + 12)
    if (x === 0 && y === 0) return
    const animate = !prefersStillness()
    moves.run(() => map.panBy([x, y], { animate }), animate)
  }, [map, moves])
  return (
    <MapHost lat={lat} lon={lon} level={10} isSolid>
      <div ref={box} className="map-card map-card-standing">
        <CardBody {...card} />
      </div>
    </MapHost>
  )
}

/** The card of the selected pin along the lower edge, for a map too narrow for one on the pin. */
export function DockedCard(card: CardProps) {
  return (
    <div className="map-card map-card-docked">
      <CardBody {...card} />
    </div>
  )
}

function CardBody({ pin, takesFocus, onClose, children }: CardProps) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus && pin.id) card.current?.focus({ preventScroll: true })
  }, [takesFocus, pin.id])
  return (
    <div ref={card} role="dialog" aria-label={pin.name} tabIndex={-1} className="map-card-body">
      {children}
      <button
        type="button"
        className="map-card-close"
        aria-label={`Close ${pin.name}`}
        onClick={onClose}
      >
        <X aria-hidden size={18} strokeWidth={1.75} />
      </button>
    </div>
  )
}
