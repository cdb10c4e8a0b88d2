import type { Map as LeafletMap } from 'leaflet'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Region } from '#contract/region.ts'
import type { Backdrop } from './backdrop.ts'
import { fetchBackdrop, fetchCounties, fetchZips } from './fetch-backdrop.ts'

// From these zooms the view is small enough for the detail to be read, and to be worth its file.
const COUNTIES_FROM = 6.3
const ZIPS_FROM = 9.5

/**
 * The backdrop once it is here, in the USA with counties and ZIP codes once someone looks closely. Without it the
 * pins still stand; it is asked for again when the network returns.
 */
export function useBackdrop(region: Region, map: LeafletMap): Backdrop | null {
  const load = useCallback(() => fetchBackdrop(region), [region])
  const backdrop = useFetched(load)
  const zoom = useLargestZoom(map)
  const hasCounties = region === 'usa' && zoom >= COUNTIES_FROM
  const hasZips = region === 'usa' && zoom >= ZIPS_FROM
  const counties = useFetched(hasCounties ? fetchCounties : null)
  const zips = useFetched(hasZips ? fetchZips : null)
  return useMemo(() => {
    if (backdrop?.region !== region) return null
    const labels = [...backdrop.labels, ...(counties?.labels ?? []), ...(zips ?? [])]
    return { ...backdrop, lines: { ...backdrop.lines, counties: counties?.lines ?? [] }, labels }
  }, [backdrop, counties, zips, region])
}

function useFetched<T>(fetch: (() => Promise<T>) | null): T | null {
  const [found, setFound] = useState<T | null>(null)
  useEffect(() => {
    let isCurrent = true
    // What does not come is not drawn; the map is of use without it.
    const load = () => {
      fetch?.().then(
        (value) => isCurrent && setFound(value),
        () => isCurrent && setFound(null),
      )
    }
    load()
    addEventListener('online', load)
    return () => {
      isCurrent = false
      removeEventListener('online', load)
    }
  }, [fetch])
  return found
}

/** The closest anyone has looked since the map was opened. */
function useLargestZoom(map: LeafletMap): number {
  const [largest, setLargest] = useState(map.getZoom())
  useEffect(() => {
    const look = () => setLargest((before) => Math.max(before, map.getZoom()))
    map.on('zoomend', look)
    return () => {
      map.off('zoomend', look)
    }
  }, [map])
  return largest
}
