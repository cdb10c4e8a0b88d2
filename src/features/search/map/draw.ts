import type { Backdrop, WorldLabel, WorldLine } from './backdrop.ts'
import type { Brush, CanvasView, Palette } from './canvas-layer.ts'
import {
  isShown,
  type LabelBox,
  type LabelLook,
  lookOf,
  marginOf,
  placeLabels,
  priorityOf,
  type Rect,
} from './labels.ts'
import { circleBounds, toWorld, type WorldPoint } from './mercator.ts'

type Context = CanvasRenderingContext2D

/** Paints sea, land, built-up areas, rivers and borders in paper and hairline tones. */
export function drawLines(brush: Brush, { lines, region }: Backdrop): void {
  const { context, view, palette } = brush
  const { isDark } = palette
  const { zoom } = view
  const fill = (colour: string, opacity = 1) => {
    context.globalAlpha = opacity
    context.fillStyle = colour
    context.fill('evenodd')
  }
  const stroke = (colour: string, opacity: number, width: number) => {
    context.globalAlpha = opacity
    context.strokeStyle = colour
    context.lineWidth = width
    context.stroke()
  }
  context.lineJoin = 'round'
  context.lineCap = 'round'
  drawSea(brush)

  // The two atlases disagree by a little along shared borders: a broad edge hides the gap.
  const seam = Math.max(2, 2 ** (zoom - 8))
  trace(brush, lines.abroad, true)
  stroke(isDark ? palette.paper : palette.sunken, 1, seam)
  fill(isDark ? palette.paper : palette.sunken)
  trace(brush, lines.lakes, true)
  fill(seaColour(palette))
  fill(palette.tint, isDark ? 0.35 : 0.55)

  trace(brush, lines.land, true)
  if (zoom >= 5) {
    // Waterlines, as on engraved maps; the land covers their inner half.
    stroke(palette.brand, isDark ? 0.05 : 0.045, 14)
    stroke(palette.brand, isDark ? 0.06 : 0.06, 6)
  }
  fill(isDark ? palette.surface : palette.paper)
  trace(brush, lines.builtUp, true)
  // Fades in with the towns, and out where towns fill the view and their edge would look falsely exact.
  const [edge, least] = region === 'uk' ? [14, 0.3] : [11, 0]
  const near = Math.min(1, (zoom - 3) / 3) * Math.min(1, Math.max(least, (edge - zoom) / 3.5))
  fill(palette.line, (isDark ? 0.5 : 0.42) * near)

  if (zoom >= 6.8) {
    trace(brush, lines.counties, false)
    stroke(palette.line, Math.min(1, (zoom - 6.3) * 0.6), zoom < 9 ? 0.7 : 1)
  }
  trace(brush, lines.borders, false)
  stroke(palette.field, isDark ? 0.5 : 0.45, zoom < 6 ? 0.8 : 1.2)
  trace(brush, lines.abroad, true)
  stroke(palette.field, isDark ? 0.35 : 0.3, 0.8)
  trace(brush, lines.land, true)
  stroke(palette.field, isDark ? 0.7 : 0.6, zoom < 7 ? 0.8 : 1)
  if (zoom >= 8) drawRivers(brush, lines.rivers)
  context.globalAlpha = 1
}

function seaColour(palette: Palette): string {
  return palette.sunken
}

function drawSea({ context, view, palette }: Brush): void {
  context.globalAlpha = 1
  context.fillStyle = seaColour(palette)
  context.fillRect(0, 0, view.width, view.height)
  context.globalAlpha = palette.isDark ? 0.35 : 0.55
  context.fillStyle = palette.tint
  context.fillRect(0, 0, view.width, view.height)
}

/** A river is about 230 metres wide where it is drawn, but never thinner than a line. */
function drawRivers({ context, view, palette }: Brush, rivers: WorldLine[]): void {
  const width = Math.min(22, Math.max(1.6, (view.size * 230) / 24_900_000))
  const banks = [palette.field, palette.isDark ? 0.7 : 0.6, 1.6] as const
  const water = [
    [seaColour(palette), 1, 0],
    [palette.tint, palette.isDark ? 0.35 : 0.55, 0],
  ] as const
  for (const river of rivers) {
    if (isOutside(river, view)) continue
    curve(context, view, river.points)
    for (const [colour, opacity, extra] of width < 4
      ? [[palette.field, 0.45, 0] as const]
      : [banks, ...water]) {
      context.globalAlpha = opacity
      context.strokeStyle = colour
      context.lineWidth = width + extra
      context.stroke()
    }
  }
}

function isOutside(line: WorldLine, view: CanvasView): boolean {
  const { size, left, top, width, height } = view
  return (
    line.east * size < left ||
    line.west * size > left + width ||
    line.south * size < top ||
    line.north * size > top + height
  )
}

/**
 * Makes one path of all lines in view. Zoomed in, corners are rounded: the outlines are coarser than the
 * screen there.
 */
function trace({ context, view }: Brush, lines: WorldLine[], isRing: boolean): void {
  context.beginPath()
  for (const line of lines) {
    const widest = Math.max(line.east - line.west, line.south - line.north) * view.size
    if (widest < 1.5 || isOutside(line, view)) continue
    if (view.zoom >= 8 && isRing) roundRing(context, view, line.points)
    else polyline(context, view, line.points)
    if (isRing) context.closePath()
  }
}

function polyline(context: Context, { size, left, top }: CanvasView, points: Float64Array): void {
  // Steps below half a pixel cannot be seen.
  let [lastX, lastY] = [Infinity, Infinity]
  for (let i = 0; i < points.length; i += 2) {
    const x = (points[i] ?? 0) * size - left
    const y = (points[i + 1] ?? 0) * size - top
    if (i === 0) context.moveTo(x, y)
    else if (Math.abs(x - lastX) + Math.abs(y - lastY) < 0.6 && i < points.length - 2) continue
    else context.lineTo(x, y)
    lastX = x
    lastY = y
  }
}

function roundRing(context: Context, { size, left, top }: CanvasView, points: Float64Array): void {
  const count = points.length / 2
  const at = (i: number): [number, number] => {
    const k = (i % count) * 2
    return [(points[k] ?? 0) * size - left, (points[k + 1] ?? 0) * size - top]
  }
  let [x, y] = at(0)
  const [lastX, lastY] = at(count - 1)
  context.moveTo((x + lastX) / 2, (y + lastY) / 2)
  for (let i = 0; i < count; i++) {
    const [nextX, nextY] = at(i + 1)
    context.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2)
    x = nextX
    y = nextY
  }
}

/** A smooth line through every point (Catmull-Rom): a river must pass under its bridges. */
function curve(context: Context, { size, left, top }: CanvasView, points: Float64Array): void {
  const last = points.length / 2 - 1
  const at = (i: number): [number, number] => {
    const k = Math.min(last, Math.max(0, i)) * 2
    return [(points[k] ?? 0) * size - left, (points[k + 1] ?? 0) * size - top]
  }
  context.beginPath()
  context.moveTo(...at(0))
  for (let i = 0; i < last; i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    context.bezierCurveTo(
      from[0] + (to[0] - before[0]) / 6,
      from[1] + (to[1] - before[1]) / 6,
      to[0] - (after[0] - from[0]) / 6,
      to[1] - (after[1] - from[1]) / 6,
      ...to,
    )
  }
}

interface Candidate extends LabelBox {
  look: LabelLook
}

/** An area that labels keep clear of: a point and the margin around it, in pixels each way. */
export interface Obstacle extends WorldPoint {
  room: number
}

/** Draws a view's labels, the most important first; none overlaps another or a pin. */
export function drawLabels(
  brush: Brush,
  { labels }: Backdrop,
  obstacles: readonly Obstacle[],
): void {
  const { context, view, palette } = brush
  const toCanvas = ({ x, y }: WorldPoint) => ({
    x: x * view.size - view.left,
    y: y * view.size - view.top,
  })
  const area = { left: 4, top: 4, right: view.width - 4, bottom: view.height - 4 }
  const taken: Rect[] = obstacles.map(({ room, ...place }) => {
    const { x, y } = toCanvas(place)
    return { left: x - room, top: y - room, right: x + room, bottom: y + room }
  })
  const shown = labels.filter((label) => isShown(label, view.zoom) && isNear(toCanvas(label), view))
  shown.sort((a, b) => priorityOf(a) - priorityOf(b))
  const candidates = shown.map((label) => candidate(brush, label, toCanvas(label)))
  const placed = placeLabels(candidates, area, taken)

  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  for (const { item } of placed) if (item.look.dot > 0) drawDot(brush, item)
  for (const { item, left, middle } of placed) {
    const { look } = item
    context.font = look.font
    context.letterSpacing = `${look.spacing}px`
    context.globalAlpha = 0.75
    context.strokeStyle = palette.isDark ? palette.surface : palette.paper
    context.lineWidth = 3
    context.strokeText(look.text, left, middle)
    context.globalAlpha = look.opacity
    context.fillStyle = look.colour
    context.fillText(look.text, left, middle)
  }
  context.globalAlpha = 1
}

function candidate(
  { context, view, palette }: Brush,
  label: WorldLabel,
  at: WorldPoint,
): Candidate {
  const look = lookOf(label, view.zoom, palette)
  context.font = look.font
  context.letterSpacing = `${look.spacing}px`
  const width = context.measureText(look.text).width
  return {
    look,
    x: at.x,
    y: at.y,
    width,
    height: look.size,
    gap: look.dot > 0 ? look.dot + 4 : 0,
    margin: marginOf(label, view.zoom),
  }
}

function drawDot({ context, palette }: Brush, { x, y, look }: Candidate): void {
  context.beginPath()
  context.arc(x, y, look.dot, 0, 2 * Math.PI)
  context.globalAlpha = look.opacity
  context.fillStyle = palette.surface
  context.fill()
  context.strokeStyle = look.colour
  context.lineWidth = 1.2
  context.stroke()
}

function isNear({ x, y }: WorldPoint, view: CanvasView): boolean {
  return x > -100 && y > -20 && x < view.width + 100 && y < view.height + 20
}

/**
 * Paints the searched circle: the area outside it slightly dimmed, its edge in the brand colour, and a mark
 * at its centre.
 */
export function drawCircle(
  { context, view, palette }: Brush,
  { lat, lon, miles }: { lat: number; lon: number; miles: number },
): void {
  const middle = toWorld(lat, lon)
  const [, [north]] = circleBounds(lat, lon, miles)
  const radius = (middle.y - toWorld(north, lon).y) * view.size
  const x = middle.x * view.size - view.left
  const y = middle.y * view.size - view.top

  context.beginPath()
  context.rect(0, 0, view.width, view.height)
  context.moveTo(x + radius, y)
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.globalAlpha = palette.isDark ? 0.25 : 0.28
  context.fillStyle = palette.sunken
  context.fill('evenodd')

  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.globalAlpha = 0.75
  context.strokeStyle = palette.brand
  context.lineWidth = 1.5
  context.setLineDash([6, 5])
  context.stroke()
  context.setLineDash([])

  context.globalAlpha = 1
  context.beginPath()
  context.arc(x, y, 5, 0, 2 * Math.PI)
  context.fillStyle = palette.ink
  context.fill()
  context.strokeStyle = palette.surface
  context.lineWidth = 2.5
  context.stroke()
}
