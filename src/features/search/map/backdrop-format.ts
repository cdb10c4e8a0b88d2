/**
 * The file `/map/{region}.json`, as `scripts/build-map.ts` writes it and the map reads it. Lines are whole
 * numbers on a grid, each point as the step from the one before, because steps are short and compress well.
 */

/** Lines or rings on one grid: degrees = origin + number * step. */
export interface PackedLines {
  /** Longitude and latitude of grid point 0,0, in degrees. */
  origin: [number, number]
  /** Degrees per grid unit, longitude and latitude. */
  step: [number, number]
  /** One flat list a line: dx0, dy0 from the start of the line before (from 0,0 for the first), then dx1, dy1, dx2, dy2 ... */
  lines: number[][]
}

/** What a label names; each kind has its own type style and its own zooms. */
export type LabelKind =
  | 'sea'
  | 'country'
  | 'state'
  | 'county'
  | 'city'
  | 'abroad'
  | 'outcode'
  | 'zip'

/** Labels of one kind, the most important first. */
export interface PackedLabels {
  kind: LabelKind
  /** Names joined by newlines. */
  names: string
  /** Labels to a degree: `at` counts in steps of 1 / perDegree. */
  perDegree: number
  /** lon0, lat0, then steps from the label before. */
  at: number[]
  /** How many labels have rank 0, rank 1 and so on; rank 0 is the most important. */
  ranks: number[]
}

/** A whole backdrop. Rings of `land`, `abroad`, `lakes` and `builtUp` are filled (even-odd); the rest are strokes. */
export interface PackedBackdrop {
  version: 1
  region: 'uk' | 'usa'
  /** West, south, east, north in degrees: beyond it there is nothing drawn. */
  bounds: [number, number, number, number]
  land: PackedLines
  abroad: PackedLines
  lakes: PackedLines
  builtUp: PackedLines
  rivers: PackedLines
  /** Borders inside the country: states (USA). */
  borders: PackedLines
  labels: PackedLabels[]
}

/** The file `/map/usa-counties.json`, fetched when the view is small enough for counties to be told apart. */
export interface PackedCounties {
  version: 1
  lines: PackedLines
  labels: PackedLabels
}

/** The file `/map/usa-zips.json`, fetched only when someone looks closely enough to read a ZIP code. */
export interface PackedZips {
  version: 1
  perDegree: number
  /** Three numbers a ZIP code, each the step from the one before: the code, longitude, latitude. */
  steps: number[]
}
