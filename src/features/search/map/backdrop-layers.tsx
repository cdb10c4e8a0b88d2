import { useEffect, useMemo, useState } from 'react'
import { useMap } from 'react-leaflet'
import { watchTheme } from '#app/lib/theme.ts'
import type { Region } from '#contract/region.ts'
import { CanvasLayer } from './canvas-layer.ts'
import type { Paint } from './canvas-view.ts'
import { drawCircle } from './draw-circle.ts'
import { drawLabels, type Obstacle } from './draw-labels.ts'
import { drawLines } from './draw-lines.ts'
import { toWorld } from './mercator.ts'
import { readPalette } from './palette.ts'
import { groupPins, type PinSource, viewOf } from './pin-groups.ts'
import { useBackdrop } from './use-backdrop.ts'

interface BackdropLayersProps {
  region: Region
  center: { lat: number; lon: number }
  radiusMiles: number
  source: PinSource
}

/** The drawn map, under the tiles, and the circle searched, over them. Both follow the theme. */
export function BackdropLayers({ region, center, radiusMiles, source }: BackdropLayersProps) {
  const map = useMap()
  const backdrop = useBackdrop(region, map)
  const palette = usePalette(map.getContainer())
  const { lat, lon } = center
  const ground = useMemo((): Paint => {
    return (context, view) => {
      if (!backdrop) return
      const { singles, clusters } = groupPins(source, viewOf(map), null)
      const obstacles: Obstacle[] = [
        { ...toWorld(lat, lon), room: 5 },
        ...singles.map((pin) => ({
          ...toWorld(pin.lat, pin.lon),
          room: pin.number === null ? 7 : 17,
        })),
        ...clusters.map((cluster) => ({ ...toWorld(cluster.lat, cluster.lon), room: 16 })),
      ]
      const brush = { context, view, palette }
      drawLines(brush, backdrop)
      drawLabels(brush, backdrop, obstacles)
    }
  }, [map, backdrop, palette, source, lat, lon])
  const circle = useMemo((): Paint => {
    return (context, view) =>
      drawCircle({ context, view, palette }, { lat, lon, miles: radiusMiles })
  }, [lat, lon, radiusMiles, palette])
  useCanvas('backdrop', 150, ground)
  useCanvas('circle', 350, circle)
  return null
}

function useCanvas(name: string, zIndex: number, paint: Paint): void {
  const map = useMap()
  const [layer] = useState(() => {
    const pane = map.getPane(name) ?? map.createPane(name)
    pane.style.zIndex = String(zIndex)
    pane.style.pointerEvents = 'none'
    return new CanvasLayer(name, paint)
  })
  useEffect(() => {
    layer.addTo(map)
    return () => {
      layer.remove()
    }
  }, [layer, map])
  useEffect(() => layer.setPaint(paint), [layer, paint])
}

function usePalette(element: HTMLElement) {
  const [palette, setPalette] = useState(() => readPalette(element))
  useEffect(() => {
    const read = () => setPalette(readPalette(element))
    // Letters drawn before the typeface came are drawn again.
    document.fonts.ready.then(read, read)
    return watchTheme(read)
  }, [element])
  return palette
}
