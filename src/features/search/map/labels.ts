import type { LabelKind, WorldLabel } from './backdrop.ts'
import type { Palette } from './canvas-layer.ts'

/**
 * How a kind of label is drawn: the zoom each rank appears at, the zoom it disappears at, and its type style.
 */
interface LabelRule {
  from: number[]
  until: number
  /** Lower numbers are placed first; within one, ranks decide. */
  order: number
  size: number[]
  weight: number
  /** Letter spacing in pixels; spaced labels are in capitals. */
  spacing: number
  opacity: number
  colour: 'ink' | 'muted' | 'brand' | 'brandDeep'
}

const rules: Record<LabelKind, LabelRule> = {
  country: {
    from: [3.5],
    until: 7.5,
    order: 0,
    size: [13],
    weight: 600,
    spacing: 3,
    opacity: 0.6,
    colour: 'muted',
  },
  sea: {
    from: [3.5, 5.5],
    until: 9,
    order: 1,
    size: [15, 13],
    weight: 400,
    spacing: 0,
    opacity: 0.55,
    colour: 'brand',
  },
  state: {
    from: [4, 5, 6],
    until: 7.6,
    order: 3,
    size: [11.5, 11, 10.5],
    weight: 600,
    spacing: 2,
    opacity: 0.6,
    colour: 'muted',
  },
  city: {
    from: [3.6, 4, 4.8, 6, 7, 8, 9.2, 10.2, 11.2],
    until: 22,
    order: 2,
    size: [14, 14, 13.5, 13, 12.5, 12, 12, 11.5, 11],
    weight: 500,
    spacing: 0,
    opacity: 1,
    colour: 'ink',
  },
  abroad: {
    from: [4, 4.5, 5, 6, 7],
    until: 22,
    order: 6,
    size: [12, 11.5, 11],
    weight: 400,
    spacing: 0,
    opacity: 0.8,
    colour: 'muted',
  },
  outcode: {
    from: [10, 10.8, 11.5],
    until: 22,
    order: 5.5,
    size: [11, 11, 10.5],
    weight: 600,
    spacing: 0.4,
    opacity: 0.75,
    colour: 'brand',
  },
  zip: {
    from: [10.2],
    until: 22,
    order: 7.2,
    size: [11],
    weight: 600,
    spacing: 0.4,
    opacity: 0.75,
    colour: 'brand',
  },
  county: {
    from: [7.6, 8, 8.5],
    until: 10.2,
    order: 7.5,
    size: [10, 10, 10],
    weight: 600,
    spacing: 1.5,
    opacity: 0.6,
    colour: 'muted',
  },
}

/** How one label looks at one zoom. */
export interface LabelLook {
  text: string
  font: string
  size: number
  spacing: number
  opacity: number
  colour: string
  /** Radius of the dot at its location; 0 for none. */
  dot: number
}

/** Zoom levels by which towns appear early where there is nothing else to name. */
const EARLY = 2.6

/** Whether a label may be shown at a zoom. */
export function isShown(label: WorldLabel, zoom: number): boolean {
  const early = label.kind === 'city' ? EARLY : 0
  return zoom >= firstZoom(label) - early && zoom < rules[label.kind].until
}

/**
 * The free space in pixels a label needs around it: a lot for a town shown early, so that hamlets are named
 * only in empty country.
 */
export function marginOf(label: WorldLabel, zoom: number): number {
  return label.kind === 'city' ? Math.max(0, firstZoom(label) - zoom) * 42 : 0
}

function firstZoom({ kind, rank }: WorldLabel): number {
  const { from } = rules[kind]
  return from[Math.min(rank, from.length - 1)] ?? 0
}

/**
 * Placement priority: countries and seas, then towns by size with states, outcodes and counties between them.
 */
export function priorityOf({ kind, rank }: WorldLabel): number {
  return rules[kind].order + rank
}

/**
 * Type, colour and dot of a label. Towns grow a little with the zoom, and lose their dot once the map is
 * zoomed in to their extent.
 */
export function lookOf(label: WorldLabel, zoom: number, palette: Palette): LabelLook {
  const { kind, rank, name } = label
  const rule = rules[kind]
  const seen = zoom - firstZoom(label)
  const isTown = kind === 'city' || kind === 'abroad'
  const base = rule.size[Math.min(rank, rule.size.length - 1)] ?? 11
  const size = isTown ? base + Math.min(2.5, Math.max(0, seen) * 0.5) : base
  const isMajor = kind === 'city' && rank <= 4
  const weight = isMajor ? 600 : rule.weight
  const family = kind === 'sea' ? palette.display : palette.sans
  const isCapital = kind === 'country' || kind === 'state' || kind === 'county'
  return {
    text: isCapital ? name.toUpperCase() : name,
    font: `${kind === 'sea' ? 'italic ' : ''}${weight} ${size}px ${family}`,
    size,
    spacing: rule.spacing,
    opacity: kind === 'city' && !isMajor ? 0.85 : rule.opacity,
    colour: palette[kind === 'city' && !isMajor ? 'muted' : rule.colour],
    dot: isTown && seen < 2.6 && zoom < 11 ? (rank <= 2 ? 2.6 : rank <= 4 ? 2.1 : 1.7) : 0,
  }
}

/** A rectangle in pixels. */
export interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * A label to place: its anchor and size in pixels, and whether it may go beside a dot instead of over its
 * location.
 */
export interface LabelBox {
  x: number
  y: number
  width: number
  height: number
  /** Distance from a dot at the anchor; 0 centres the label on the anchor. */
  gap: number
  /** Free space the label needs around it, beyond its own size. */
  margin: number
}

/** A placed label; `left` and `middle` are the start and the vertical middle of its text. */
export interface PlacedLabel<T> {
  item: T
  left: number
  middle: number
}

/**
 * Places labels in the given order, the most important first, and omits those that would touch one already
 * placed or anything in `taken`. A label beside a dot tries right, left, above and below; one over its
 * location may move up or down by its own height.
 */
export function placeLabels<T extends LabelBox>(
  items: Iterable<T>,
  area: Rect,
  taken: readonly Rect[] = [],
): PlacedLabel<T>[] {
  const used: Rect[] = []
  const placed: PlacedLabel<T>[] = []
  for (const item of items) {
    const dot = item.gap > 0 ? rectAround(item.x, item.y, 3) : null
    if (dot && used.some((other) => intersects(dot, other))) continue
    for (const [left, middle] of labelPositions(item)) {
      const text = {
        left,
        top: middle - item.height / 2,
        right: left + item.width,
        bottom: middle + item.height / 2,
      }
      if (!isWithin(text, area) || taken.some((other) => intersects(text, other))) continue
      const rect = {
        left: left - 4,
        top: text.top - 2,
        right: text.right + 4,
        bottom: text.bottom + 2,
      }
      const wanted = expandRect(rect, item.margin)
      if (used.some((other) => intersects(wanted, other))) continue
      used.push(rect)
      if (dot) used.push(dot)
      placed.push({ item, left, middle })
      break
    }
  }
  return placed
}

function rectAround(x: number, y: number, room: number): Rect {
  return { left: x - room, top: y - room, right: x + room, bottom: y + room }
}

/** Left edge and vertical middle of each position, the best first. */
function labelPositions({ x, y, width, height, gap }: LabelBox): [number, number][] {
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

function expandRect({ left, top, right, bottom }: Rect, by: number): Rect {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by }
}

function intersects(a: Rect, b: Rect): boolean {
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
