import {
  DomUtil,
  type LatLng,
  type LatLngExpression,
  Layer,
  type LeafletEventHandlerFn,
  type Map as LeafletMap,
  type ZoomAnimEvent,
} from 'leaflet'
import { worldSize } from './mercator.ts'

/** Drawn beyond each edge of the map, as a fraction of its size, so that dragging shows no blank area. */
const MARGIN = 0.2

/**
 * A canvas under or over the tiles, painted by one function whenever the map comes to rest; until then it
 * moves and scales with the map as tiles do.
 */
export class CanvasLayer extends Layer {
  readonly #canvas = document.createElement('canvas')
  readonly #pane: string
  #paint: Paint
  #drawn: { zoom: number; corner: LatLng } | null = null
  #frame = 0
  readonly #animate = (event: ZoomAnimEvent) => this.#follow(event.center, event.zoom)

  constructor(pane: string, paint: Paint) {
    super()
    this.#pane = pane
    this.#paint = paint
    this.#canvas.className = 'leaflet-zoom-animated'
    this.#canvas.setAttribute('aria-hidden', 'true')
  }

  /** Replaces the paint function. */
  setPaint(paint: Paint): void {
    this.#paint = paint
    this.redraw()
  }

  /** Paints again before the next frame. */
  redraw(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#draw())
  }

  override onAdd(map: LeafletMap): this {
    map.getPane(this.#pane)?.append(this.#canvas)
    map.on('zoomanim', this.#animate)
    this.#draw(map)
    return this
  }

  override onRemove(map: LeafletMap): this {
    map.off('zoomanim', this.#animate)
    cancelAnimationFrame(this.#frame)
    this.#canvas.remove()
    return this
  }

  override getEvents(): Record<string, LeafletEventHandlerFn> {
    return {
      viewreset: () => this.#draw(),
      moveend: () => this.#draw(),
      resize: () => this.#draw(),
      zoom: () => this.#follow(this._map.getCenter(), this._map.getZoom()),
    }
  }

  #draw(map: LeafletMap | undefined = this._map): void {
    const context = this.#canvas.getContext('2d')
    if (!map || !context) return
    const size = map.getSize()
    const margin = size.multiplyBy(MARGIN).round()
    const corner = map.containerPointToLayerPoint(margin.multiplyBy(-1))
    const view: CanvasView = {
      zoom: map.getZoom(),
      size: worldSize(map.getZoom()),
      left: map.getPixelOrigin().x + corner.x,
      top: map.getPixelOrigin().y + corner.y,
      width: size.x + 2 * margin.x,
      height: size.y + 2 * margin.y,
    }
    const ratio = Math.min(2, window.devicePixelRatio)
    this.#canvas.width = view.width * ratio
    this.#canvas.height = view.height * ratio
    this.#canvas.style.width = `${view.width}px`
    this.#canvas.style.height = `${view.height}px`
    this.#drawn = { zoom: view.zoom, corner: map.layerPointToLatLng(corner) }
    DomUtil.setTransform(this.#canvas, corner, 1)
    context.scale(ratio, ratio)
    this.#paint(context, view)
  }

  /** Moves and scales the painted canvas to match another view. */
  #follow(center: LatLngExpression, zoom: number): void {
    if (!this.#drawn) return
    const map = this._map
    const pane = map.getPane('mapPane')
    if (!pane) return
    const origin = map
      .project(center, zoom)
      .subtract(map.getSize().divideBy(2))
      .add(DomUtil.getPosition(pane))
      .round()
    const corner = map.project(this.#drawn.corner, zoom).subtract(origin)
    DomUtil.setTransform(this.#canvas, corner, map.getZoomScale(zoom, this.#drawn.zoom))
  }
}

/** What a canvas shows: its corner in world pixels, the scale, and its size, all in CSS pixels. */
export interface CanvasView {
  zoom: number
  /** Width of the whole world at this zoom, in CSS pixels. */
  size: number
  /** Upper left corner of the canvas, in world pixels. */
  left: number
  top: number
  width: number
  height: number
}

/** The drawing context: a canvas whose units are CSS pixels, the view it shows, and the colours. */
export interface Brush {
  context: CanvasRenderingContext2D
  view: CanvasView
  palette: Palette
}

/** Something that paints on a canvas whose units are CSS pixels. */
export type Paint = (context: CanvasRenderingContext2D, view: CanvasView) => void

/** The design tokens the canvas draws with, as CSS colours. */
export interface Palette {
  paper: string
  surface: string
  sunken: string
  ink: string
  muted: string
  line: string
  field: string
  brand: string
  brandDeep: string
  tint: string
  accent: string
  isDark: boolean
  /** Font families, for `CanvasRenderingContext2D.font`. */
  sans: string
  display: string
}

/**
 * Reads the current tokens of an element. A probe resolves `light-dark()` and the like to plain colours,
 * which is all a canvas understands.
 */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const style = getComputedStyle(probe)
  const colour = (token: string) => {
    probe.style.color = `var(${token})`
    return style.color
  }
  const palette = {
    paper: colour('--paper'),
    surface: colour('--surface'),
    sunken: colour('--sunken'),
    ink: colour('--ink'),
    muted: colour('--muted'),
    line: colour('--line'),
    field: colour('--field'),
    brand: colour('--brand'),
    brandDeep: colour('--brand-deep'),
    tint: colour('--tint'),
    accent: colour('--accent'),
    isDark: style.colorScheme === 'dark' || isDarkColour(colour('--paper')),
    sans: getComputedStyle(document.body).fontFamily,
    display: "'Newsreader', Georgia, serif",
  }
  probe.remove()
  return palette
}

function isDarkColour(colour: string): boolean {
  const [red = 255, green = 255, blue = 255] = (colour.match(/\d+/g) ?? []).map(Number)
  return red + green + blue < 380
}
