/** A rectangle in pixels. */
export interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

/** A label that wants room: its anchor in pixels, its size, and whether it may stand beside a dot instead of over its place. */
export interface LabelBox {
  x: number
  y: number
  width: number
  height: number
  /** Distance from a dot at the anchor; 0 centres the label on the anchor. */
  gap: number
  /** Free ground the label wants around it, beyond what it covers. */
  margin: number
}

/** A label that got room; `left` and `middle` are where its text starts and its vertical middle. */
export interface PlacedLabel<T> {
  item: T
  left: number
  middle: number
}

/**
 * Gives room to labels in the order they come, the most important first, and leaves out those that would touch
 * one already placed or anything in `taken`. A label beside a dot tries right, left, above and below; one over its
 * place may move up or down by its own height.
 */
export function placeLabels<T extends LabelBox>(
  items: Iterable<T>,
  area: Rect,
  taken: readonly Rect[] = [],
): PlacedLabel<T>[] {
  const used: Rect[] = []
  const placed: PlacedLabel<T>[] = []
  for (const item of items) {
    const dot = item.gap > 0 ? around(item.x, item.y, 3) : null
    if (dot && used.some((other) => touches(dot, other))) continue
    for (const [left, middle] of startsOf(item)) {
      const text = {
        left,
        top: middle - item.height / 2,
        right: left + item.width,
        bottom: middle + item.height / 2,
      }
      if (!isWithin(text, area) || taken.some((other) => touches(text, other))) continue
      const rect = {
        left: left - 4,
        top: text.top - 2,
        right: text.right + 4,
        bottom: text.bottom + 2,
      }
      const wanted = grown(rect, item.margin)
      if (used.some((other) => touches(wanted, other))) continue
      used.push(rect)
      if (dot) used.push(dot)
      placed.push({ item, left, middle })
      break
    }
  }
  return placed
}

function around(x: number, y: number, room: number): Rect {
  return { left: x - room, top: y - room, right: x + room, bottom: y + room }
}

/** Left edge and vertical middle of each position, the best first. */
function startsOf({ x, y, width, height, gap }: LabelBox): [number, number][] {
  if (gap > 0) {
    return [
      [x + gap, y],
      [x - gap - width, y],
      [x - width / 2, y - height - 3],
      [x - width / 2, y + height + 3],
    ]
  }
  const left = x - width / 2
  return [0, -1.1, 1.1, -2, 2].map((lines) => [left, y + lines * height])
}

function grown({ left, top, right, bottom }: Rect, by: number): Rect {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by }
}

function touches(a: Rect, b: Rect): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top
}

function isWithin(inner: Rect, outer: Rect): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  )
}
