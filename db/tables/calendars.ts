import type { Flag, Instant } from '#db/columns.ts'

/** A URL at which a calendar app reads a person's visits. The URL itself is not stored. */
export interface CalendarFeedRow {
  id: string
  account_no: number
  /** Keyed hash of the token in the URL. */
  hash: string
  name: string
  /** For providers: whether it shows patients' first names. */
  shows_names: Flag
  created_at: Instant
  /** Rounded to the minute. */
  last_read_at: Instant | null
}

export interface CalendarsTables {
  calendar_feeds: CalendarFeedRow
}
