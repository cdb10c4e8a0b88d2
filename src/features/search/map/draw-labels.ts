import type { Backdrop, WorldLabel } from './backdrop.ts'
import type { Brush, CanvasView } from './canvas-view.ts'
import { type LabelBox, placeLabels, type Rect } from './label-layout.ts'
import { isShown, type LabelLook, lookOf, marginOf, priorityOf } from './label-rules.ts'
import type { WorldPoint } from './mercator.ts'

interface Candidate extends LabelBox {
  look: LabelLook
}

/** Ground that labels keep clear of: a place and the room around it, in pixels each way. */
export interface Obstacle extends WorldPoint {
  room: number
}

/** Writes the labels of a view, the most important first, none over another nor under a pin. */
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
