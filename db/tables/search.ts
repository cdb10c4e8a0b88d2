import type { Flag, Instant, MinorUnits } from '#db/columns.ts'

/**
 * The search index: one row for each listed provider and place, laid out so that one range scan of the key
 * yields everything but the texts. It can be rebuilt from the other tables at any time.
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
  /** Earliest free slot when last computed, `NEVER` without one; becomes stale as time passes. */
  next_free: Instant
  fee_minor: MinorUnits
  /** Bits of `featureBits` in server/search/rules.ts: modes offered at this place, gender and region. */
  features: number
  /** Bit n is language n of contract/base/people.ts. */
  languages: number
  /** The provider is listed at several places but must be counted and shown once. */
  siblings: Flag
  /** Last name, then first, folded for sorting. */
  name_key: string
  /** Length of a visit of the first type where a free slot alone is too short for it, else 0. */
  visit_minutes: number
  /** Buffer kept free between two visits; relevant only for visits that need more than one slot. */
  buffer_minutes: number
  /**
   * Fees and `visit_minutes` of the first type that takes place in this mode at this place; null where the first
   * type of all does.
   */
  in_person_fee_minor: MinorUnits | null
  in_person_follow_minor: MinorUnits | null
  in_person_minutes: number | null
  video_fee_minor: MinorUnits | null
  video_follow_minor: MinorUnits | null
  video_minutes: number | null
}

/** Number of index rows in one cell, an eighth of a degree of one band: speeds up counting. */
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
