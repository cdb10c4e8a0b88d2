import type { Flag, Instant } from '#db/columns.ts'

/** An address by which a calendar reads somebody's visits. The address itself is nowhere. */
export interface CalendarFeedRow {
  id: string
  account_no: number
  /** Keyed hash of the token in the address. */
  hash: string
  name: string
  /** Of a provider: patients go by their first names in it. */
  shows_names: Flag
  created_at: Instant
  /** To the minute. */
  last_read_at: Instant | null
}

export interface CalendarsTables {
  calendar_feeds: CalendarFeedRow
}
