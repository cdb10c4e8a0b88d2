import { RADII } from '#contract/search.ts'
import { milesBetween } from './mercator.ts'
import type { SearchArea } from './types.ts'

/** The circle to search for a view: its middle, and the smallest radius on offer that reaches its corners (the largest when none does). */
export function areaOfView(
  center: { lat: number; lng: number },
  corner: { lat: number; lng: number },
): SearchArea {
  const middle = { lat: center.lat, lon: center.lng }
  const reach = milesBetween(middle, { lat: corner.lat, lon: corner.lng })
  const radiusMiles = RADII.find((miles) => miles >= reach) ?? RADII[RADII.length - 1] ?? 50
  return { ...middle, radiusMiles }
}

const SCALES: [number, string][] = [
  [500, '500 miles'],
  [200, '200 miles'],
  [100, '100 miles'],
  [50, '50 miles'],
  [20, '20 miles'],
  [10, '10 miles'],
  [5, '5 miles'],
  [2, '2 miles'],
  [1, '1 mile'],
  [0.5, '½ mile'],
  [0.25, '¼ mile'],
  [0.1, '⅒ mile'],
]

/** The longest round distance whose bar is at most `room` pixels wide: its label and its width in pixels. */
export function scaleBar(milesPerPixel: number, room: number): { label: string; width: number } {
  const found = SCALES.find(([miles]) => miles / milesPerPixel <= room) ?? SCALES.at(-1)
  const [miles, label] = found ?? [0.1, '⅒ mile']
  return { label, width: Math.round(miles / milesPerPixel) }
}
