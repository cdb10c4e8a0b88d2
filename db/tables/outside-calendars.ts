import type { Flag, Instant } from '#db/columns.ts'

/** A provider's calendar kept elsewhere, which is read again and again for when they are busy. */
export interface OutsideCalendarRow {
  id: string
  provider_no: number
  name: string
  /** Of its address, such as `calendar.google.com`: all of it that is ever shown. */
  host: string
  /** The address, which is a secret, sealed for this row. */
  sealed: string
  /** Keyed hash of provider and address: the same one is kept once. */
  fingerprint: string
  skips_all_day: Flag
  /** Validators of the last reading (RFC 9110, 8.8); null asks for the whole calendar. */
  etag: string | null
  last_modified: string | null
  /** ISO date: the days before it are known. */
  covered_to: string
  /** Entries of the last reading that could not be read. */
  unreadable: number
  next_read_at: Instant
  /** The last time it could be read. */
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
