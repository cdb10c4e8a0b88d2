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

/** A provider's external calendar, polled for when they are busy. */
export interface OutsideCalendarRow {
  id: string
  provider_no: number
  name: string
  /** Host of its URL, such as `calendar.google.com`: the only part that is ever shown. */
  host: string
  /** The URL, which is a secret, sealed for this row. */
  sealed: string
  /** Keyed hash of provider and URL: prevents duplicates. */
  fingerprint: string
  skips_all_day: Flag
  /** Validators of the last response (RFC 9110, 8.8); null requests the whole calendar. */
  etag: string | null
  last_modified: string | null
  /** ISO date: busy times are complete for the days before it. */
  covered_to: string
  /** Number of entries that the last reading is not certain about. */
  unreadable: number
  /** The first of them, as JSON: a list of `OutsideDoubt`; null for none. */
  doubts: string | null
  next_read_at: Instant
  /** When it was last read successfully. */
  read_at: Instant | null
  failing_since: Instant | null
  /** Why: an `OutsideFailure`. */
  failure: string | null
  /** When its owner was emailed that it fails; from then on it is not read until they ask for it. */
  told_at: Instant | null
  created_at: Instant
}

/** A file of appointments imported by a provider; its rows become busy times. */
export interface ImportRow {
  id: string
  provider_no: number
  /** Name of the file. */
  name: string
  created_at: Instant
}

export interface CalendarsTables {
  calendar_feeds: CalendarFeedRow
  outside_calendars: OutsideCalendarRow
  imports: ImportRow
}
