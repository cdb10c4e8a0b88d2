import { DivIcon } from 'leaflet'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Marker, useMap, useMapEvents } from 'react-leaflet'
import { cx } from '#app/lib/cx.ts'
import { prefersReducedMotion } from './map-frame.tsx'
import type { ProgrammaticMoves } from './own-moves.ts'
import {
  groupPins,
  type PinCluster,
  type PinSource,
  pinName,
  type Spot,
  spreadPins,
  viewOf,
} from './pins.ts'
import type { ResultPin } from './results-map-lazy.tsx'

interface PinsLayerProps {
  source: PinSource
  selectedId: string | null
  hoveredId: string | null
  onPick: (id: string) => void
  onHover: (id: string | null) => void
}

/** Every pin in view as a button, and clusters of unnumbered ones as a count that zooms in. */
export function PinsLayer({ source, selectedId, hoveredId, onPick, onHover }: PinsLayerProps) {
  const map = useMap()
  const view = useView()
  const wasDragged = useWasDragged()
  const { singles, clusters } = useMemo(
    () => groupPins(source, view, selectedId),
    [source, selectedId, view],
  )
  const offsets = useMemo(() => {
    const spread = (group: ResultPin[], distance: number): [string, Spot][] => {
      const spots = group.map((pin) => map.project([pin.lat, pin.lon], view.zoom))
      const moved = spreadPins(spots, distance)
      return group.map((pin, i) => [pin.id, moved[i] ?? { x: 0, y: 0 }])
    }
    const numbered = singles.filter((pin) => pin.number !== null)
    const dots = singles.filter((pin) => pin.number === null)
    return new Map([...spread(numbered, 27), ...spread(dots, 11)])
  }, [singles, map, view.zoom])
  const open = ({ lat, lon, opensAt }: PinCluster) => {
    map.setView([lat, lon], Math.min(opensAt, map.getMaxZoom()), {
      animate: !prefersReducedMotion(),
    })
  }
  return (
    <>
      {singles.map((pin) => (
        <Pin
          key={pin.id}
          pin={pin}
          offset={offsets.get(pin.id) ?? null}
          isSelected={pin.id === selectedId}
          isHovered={pin.id === hoveredId}
          onPick={() => wasDragged() || onPick(pin.id)}
          onHover={onHover}
        />
      ))}
      {clusters.map((cluster) => (
        <MapHost key={`${cluster.id}-${cluster.lat}`} lat={cluster.lat} lon={cluster.lon} level={1}>
          <button
            type="button"
            className={cx('map-cluster', cluster.count >= 25 && 'map-cluster-large')}
            aria-label={`Show ${cluster.count} more here`}
            onClick={() => wasDragged() || open(cluster)}
          >
            +{cluster.count}
          </button>
        </MapHost>
      ))}
    </>
  )
}

function Pin({
  pin,
  offset,
  isSelected,
  isHovered,
  onPick,
  onHover,
}: {
  pin: ResultPin
  offset: Spot | null
  isSelected: boolean
  isHovered: boolean
  onPick: () => void
  onHover: (id: string | null) => void
}) {
  const level = isSelected ? 9 : isHovered ? 8 : pin.number === null ? 0 : 4
  return (
    <MapHost lat={pin.lat} lon={pin.lon} level={level}>
      <button
        type="button"
        data-pin={pin.id}
        className={cx(
          pin.number === null ? 'map-dot' : 'map-pin',
          isHovered && 'is-hovered',
          isSelected && 'is-selected',
        )}
        style={offset ? { translate: `${offset.x}px ${offset.y}px` } : undefined}
        aria-label={pinName(pin)}
        aria-pressed={isSelected}
        onClick={onPick}
        onPointerEnter={() => onHover(pin.id)}
        onPointerLeave={() => onHover(null)}
        onFocus={() => onHover(pin.id)}
        onBlur={() => onHover(null)}
      >
        {pin.number}
      </button>
    </MapHost>
  )
}

/** The view the pins are chosen for: it changes when the map comes to rest. */
function useView() {
  const map = useMap()
  const [view, setView] = useState(() => viewOf(map))
  useMapEvents({ moveend: () => setView(viewOf(map)) })
  return view
}

/** A drag that begins on a pin ends in a click on it: tells whether the last press was a drag. */
function useWasDragged(): () => boolean {
  const map = useMap()
  const dragged = useRef(false)
  useMapEvents({
    dragstart: () => {
      dragged.current = true
    },
  })
  useEffect(() => {
    const press = () => {
      dragged.current = false
    }
    const container = map.getContainer()
    container.addEventListener('pointerdown', press, { capture: true })
    container.addEventListener('keydown', press, { capture: true })
    return () => {
      container.removeEventListener('pointerdown', press, { capture: true })
      container.removeEventListener('keydown', press, { capture: true })
    }
  }, [map])
  return () => dragged.current
}

interface CardProps {
  pin: ResultPin
  /** Whether the card takes focus: true if the user opened it on the map. */
  takesFocus: boolean
  onClose: () => void
  children: ReactNode
}

/** The card of the selected pin, placed on it; the map moves so that all of it is in view. */
export function FloatingCard({ moves, ...card }: CardProps & { moves: ProgrammaticMoves }) {
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
    const animate = !prefersReducedMotion()
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

/** The card of the selected pin docked to the lower edge, for a map too narrow for a card on the pin. */
export function DockedCard(card: CardProps) {
  const sheet = useRef<HTMLDivElement>(null)
  // On a phone the lower edge of the map, and with it the card, may be out of view.
  useEffect(() => {
    sheet.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={sheet} className="map-card map-card-docked">
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
        <X aria-hidden size={18} />
      </button>
    </div>
  )
}

/**
 * Puts React content at a point on the map: a zero-size Leaflet marker holds an element, filled by a portal.
 * Clicks stay with the content; drags that begin on it still move the map unless `isSolid`.
 */
function MapHost({
  lat,
  lon,
  level,
  isSolid = false,
  children,
}: {
  lat: number
  lon: number
  level: number
  isSolid?: boolean
  children: ReactNode
}) {
  const [host] = useState(() => createHost(isSolid))
  const icon = useMemo(
    () => new DivIcon({ html: host, className: 'map-host', iconSize: [0, 0] }),
    [host],
  )
  const position = useMemo((): [number, number] => [lat, lon], [lat, lon])
  return (
    <>
      <Marker
        position={position}
        icon={icon}
        zIndexOffset={level * 10_000}
        interactive={false}
        keyboard={false}
      />
      {createPortal(children, host)}
    </>
  )
}

function createHost(isSolid: boolean): HTMLElement {
  const host = document.createElement('div')
  const stopped = ['click', 'dblclick']
  const pressEvents = ['pointerdown', 'mousedown', 'touchstart', 'wheel']
  for (const type of isSolid ? [...stopped, ...pressEvents] : stopped) {
    host.addEventListener(type, (event) => event.stopPropagation(), { passive: true })
  }
  return host
}
