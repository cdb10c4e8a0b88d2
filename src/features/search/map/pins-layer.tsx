import { useEffect, useMemo, useRef, useState } from 'react'
import { useMap, useMapEvents } from 'react-leaflet'
import { cx } from '#app/lib/cx.ts'
import { MapHost } from './map-host.tsx'
import { prefersStillness } from './own-moves.ts'
import { groupPins, type PinCluster, type PinSource, viewOf } from './pin-groups.ts'
import { pinName } from './pin-words.ts'
import { type Spot, spreadPins } from './spread-pins.ts'
import type { ResultPin } from './types.ts'

interface PinsLayerProps {
  source: PinSource
  selectedId: string | null
  hoveredId: string | null
  onPick: (id: string) => void
  onHover: (id: string | null) => void
}

/** Every pin in view as a button, and crowds of unnumbered ones as a count that zooms in. */
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
    map.setView([lat, lon], Math.min(opensAt, map.getMaxZoom()), { animate: !prefersStillness() })
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

/** A drag that begins on a pin ends in a click on it: this tells whether the last press was one. */
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
