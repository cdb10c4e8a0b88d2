import type { Flag, Instant } from '#db/columns.ts'

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
  /** Number of entries that could not be parsed in the last reading. */
  unreadable: number
  next_read_at: Instant
  /** When it was last read successfully. */
  read_at: Instant | null
  failing_since: Instant | null
  /** Why: an `OutsideFailure`. */
  failure: string | null
  /** When its owner was emailed that it fails. */
  told_at: Instant | null
  created_at: Instant
}

export interface OutsideCalendarsTables {
  outside_calendars: OutsideCalendarRow
}
