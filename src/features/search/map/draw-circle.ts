import type { Brush } from './canvas-view.ts'
import { circleBounds, toWorld } from './mercator.ts'

/** Paints the circle searched: the ground outside it a little quieter, its edge in brand, and a mark in its middle. */
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
