import { type Coords, type DoneCallback, TileLayer } from 'leaflet'
import { useEffect, useMemo, useState } from 'react'
import { useMap } from 'react-leaflet'
import { watchTheme } from '#app/lib/theme.ts'
import type { Region } from '#contract/region.ts'
import { useBackdrop } from './backdrop.ts'
import { CanvasLayer, type Paint } from './canvas-layer.ts'
import { drawCircle, drawLabels, drawLines, type Obstacle } from './draw.ts'
import { toWorld } from './mercator.ts'
import { readPalette } from './palette.ts'
import { groupPins, type PinSource, viewOf } from './pins.ts'

/**
 * Leaflet cancels a tile by pointing its image at a `data:` URL, which the content security policy forbids.
 * Here the tile is a box around the image, on which that has no effect. A tile that fails leaves its box
 * empty.
 */
class BoxedTiles extends TileLayer {
  override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const box = document.createElement('div')
    const image = document.createElement('img')
    image.alt = ''
    image.className = 'map-tile'
    image.addEventListener('load', () => {
      box.append(image)
      done(undefined, box)
    })
    image.addEventListener('error', () => done(undefined, box))
    image.src = this.getTileUrl(coords)
    return box
  }
}

/** Tiles over the backdrop, which shows through where tiles fail to load. */
export function TilesLayer({ url }: { url: string }) {
  const map = useMap()
  useEffect(() => {
    const layer = new BoxedTiles(url, { maxZoom: 19 })
    layer.addTo(map)
    return () => {
      layer.remove()
    }
  }, [map, url])
  return null
}

interface BackdropLayersProps {
  region: Region
  center: { lat: number; lon: number }
  radiusMiles: number
  source: PinSource
}

/** The drawn map, under the tiles, and the searched circle, over them. Both follow the theme. */
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
    // Redraws text that was drawn before the fonts had loaded.
    document.fonts.ready.then(read, read)
    return watchTheme(read)
  }, [element])
  return palette
}
