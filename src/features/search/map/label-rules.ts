import type { WorldLabel } from './backdrop.ts'
import type { LabelKind } from './backdrop-format.ts'
import type { Palette } from './palette.ts'

/** How a kind of label is set: from which zoom for each rank, until which zoom, and in what type. */
interface LabelRule {
  from: number[]
  until: number
  /** Lower numbers get room first; ranks count within it. */
  order: number
  size: number[]
  weight: number
  /** Space between letters in pixels; spaced labels are in capitals. */
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
  /** Radius of a dot at its place; 0 for none. */
  dot: number
}

/** Towns come this much earlier than their zoom where there is nothing else to name. */
const EARLY = 2.6

/** Whether a label may be shown at a zoom. */
export function isShown(label: WorldLabel, zoom: number): boolean {
  const early = label.kind === 'city' ? EARLY : 0
  return zoom >= startOf(label) - early && zoom < rules[label.kind].until
}

/** The free ground, in pixels, a label wants around it: much for a town whose zoom has not come yet, so that only empty country names hamlets. */
export function marginOf(label: WorldLabel, zoom: number): number {
  return label.kind === 'city' ? Math.max(0, startOf(label) - zoom) * 42 : 0
}

function startOf({ kind, rank }: WorldLabel): number {
  const { from } = rules[kind]
  return from[Math.min(rank, from.length - 1)] ?? 0
}

/** What gets room first: countries and seas, then towns by size with states, outcodes and counties between them. */
export function priorityOf({ kind, rank }: WorldLabel): number {
  return rules[kind].order + rank
}

/** The type, colour and dot of a label. Towns grow a little as one comes nearer, and lose their dot when the map is nearer than their extent. */
export function lookOf(label: WorldLabel, zoom: number, palette: Palette): LabelLook {
  const { kind, rank, name } = label
  const rule = rules[kind]
  const seen = zoom - startOf(label)
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
