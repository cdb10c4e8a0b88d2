import { DivIcon } from 'leaflet'
import { type ReactNode, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { Marker } from 'react-leaflet'

/**
 * Puts React content at a point on the map: a zero-size Leaflet marker holds an element, filled by a portal.
 * Clicks stay with the content; drags that begin on it still move the map unless `isSolid`.
 */
export function MapHost({
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
  const kept = ['click', 'dblclick']
  const solid = ['pointerdown', 'mousedown', 'touchstart', 'wheel']
  for (const type of isSolid ? [...kept, ...solid] : kept) {
    host.addEventListener(type, (event) => event.stopPropagation(), { passive: true })
  }
  return host
}
