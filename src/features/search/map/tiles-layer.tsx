import { type Coords, type DoneCallback, TileLayer } from 'leaflet'
import { useEffect } from 'react'
import { useMap } from 'react-leaflet'

/**
 * Leaflet gives up on a tile by pointing its image at a `data:` URL, which the content security policy forbids.
 * Here the tile is a box around the image, which takes that harmlessly. A tile that fails leaves its box empty.
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

/** Tiles over the backdrop; those that do not come simply let it show. */
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
