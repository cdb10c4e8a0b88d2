import type { Flag, Instant, MinorUnits } from '#db/columns.ts'

/**
 * What the search reads: one row for each listed provider and place, laid out so that one range
 * scan of the key answers everything but the texts. Rebuilt from the other tables at any time.
 */
export interface SearchIndexRow {
  specialty_no: number
  /** `floor(latitude / 0.1)`: the search asks for a handful of bands. */
  band: number
  longitude: number
  provider_no: number
  place_no: number
  /** The place on the unit sphere: the dot product with another orders by distance. */
  x: number
  y: number
  z: number
  /** Earliest free slot when last looked at, `NEVER` when none; goes stale by the clock. */
  next_free: Instant
  fee_minor: MinorUnits
  /** Bits of `featureBits` in server/search/rules.ts: modes, gender and region. */
  features: number
  /** Bit n is language n of contract/languages.ts. */
  languages: number
  /** The provider is listed at several places and must still be counted and shown once. */
  siblings: Flag
  /** Last name, then first, folded for sorting. */
  name_key: string
  /** Length of a visit of the first type where a free slot alone is too short for it, else 0. */
  visit_minutes: number
  /** Kept free between two visits; only of interest for such. */
  buffer_minutes: number
}

/** How many rows of the index lie in an eighth of a degree of one band: counting by the cell. */
export interface SearchCellRow {
  specialty_no: number
  band: number
  /** `floor(longitude * 8)`. */
  cell: number
  places: number
}

export interface SearchTables {
  search_index: SearchIndexRow
  search_cells: SearchCellRow
}
