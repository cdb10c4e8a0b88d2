/** A place in pixels. */
export interface Spot {
  x: number
  y: number
}

/**
 * Moves pins that would cover one another just far enough apart: how far each goes from its own place, in pixels.
 * The first stays put; each later one takes the nearest free spot on rings around its place.
 */
export function spreadPins(spots: readonly Spot[], distance: number): Spot[] {
  const placed: Spot[] = []
  return spots.map((spot) => {
    const moved = offsets(distance).find((offset) =>
      placed.every(
        (other) =>
          Math.hypot(other.x - spot.x - offset.x, other.y - spot.y - offset.y) >= distance - 0.01,
      ),
    ) ?? { x: 0, y: 0 }
    placed.push({ x: spot.x + moved.x, y: spot.y + moved.y })
    return moved
  })
}

function offsets(distance: number): Spot[] {
  const around = [{ x: 0, y: 0 }]
  for (let ring = 1; ring <= 4; ring++) {
    const count = ring * 8
    for (let i = 0; i < count; i++) {
      const angle = (i / count) * 2 * Math.PI
      const reach = (ring * distance) / 2
      around.push({ x: Math.cos(angle) * reach, y: Math.sin(angle) * reach })
    }
  }
  return around
}
