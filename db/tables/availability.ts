import type { Generated } from 'kysely'
import type { Flag, Instant } from '#db/columns.ts'

/** One bookable time. Generated for the horizon; `free` turns 0 while held or booked. */
export interface SlotRow {
  provider_no: number
  start_at: Instant
  place_no: number
  minutes: number
  free: Flag
}

/**
 * How a provider's slots are made; whoever has no row here has none made. Beside it stand the hours,
 * extra dates and absences below, all in the wall clock of their place.
 */
export interface ScheduleRow {
  provider_no: number
  /** Times nearer than this are not offered. */
  notice_minutes: number
  /** Days after today for which slots are made. */
  horizon_days: number
  /** Kept free between two visits. */
  buffer_minutes: number
  closed_on_holidays: Flag
  /** Hours repeat after so many weeks. */
  rotation_weeks: number
  /** ISO date of a day in a week 1. */
  rotation_from: string
  /** ISO date: slots are made for the days before it. */
  generated_to: string
  /** When the next day comes into view. */
  extend_at: Instant
  /** When the notice reaches the first free slot; may be too early, never too late. */
  withdraw_at: Instant
  /** Counts changes, so that a stale window cannot overwrite a newer one. */
  version: number
  updated_at: Instant
}

export interface WeeklyHoursRow {
  no: Generated<number>
  provider_no: number
  place_no: number
  /** Of the rotation, from 1. */
  week: number
  /** 1 is Monday. */
  weekday: number
  /** Minutes after midnight. */
  from_minute: number
  /** Not included; 1,440 is midnight. */
  to_minute: number
}

/** Hours on one day, beside or instead of the weekly ones. */
export interface ExtraDateRow {
  id: string
  provider_no: number
  place_no: number
  /** ISO date. */
  date: string
  from_minute: number
  to_minute: number
  note: string
}

export interface AbsenceRow {
  id: string
  provider_no: number
  /** Null is away from every place. */
  place_no: number | null
  /** First and last ISO date, both included. */
  from_date: string
  to_date: string
  note: string
}

/** Part of a day without bookings, by the clock of the main place. */
export interface BlockRow {
  id: string
  provider_no: number
  /** ISO date: the day, or the first of a weekly one. */
  date: string
  is_weekly: Flag
  /** ISO date of the last day of a weekly one; null is without an end. */
  until_date: string | null
  from_minute: number
  to_minute: number
  note: string
}

/**
 * Time in which a provider is busy elsewhere, and nothing of what it is: of one calendar these do not
 * overlap, of several they may. They are no claims: slots that meet them are not made.
 */
export interface BusyTimeRow {
  provider_no: number
  source: 'calendar' | 'import'
  /** The calendar it stands in; null for an import. */
  calendar_id: string | null
  /** The import it came with last; null for a calendar. */
  import_id: string | null
  /** Keyed hash by which the same appointment is known when it is imported again. */
  key: string | null
  start_at: Instant
  end_at: Instant
  /** Of an import: what its provider calls it, sealed. */
  label: string | null
}

export interface AvailabilityTables {
  absences: AbsenceRow
  blocks: BlockRow
  busy_times: BusyTimeRow
  extra_dates: ExtraDateRow
  schedules: ScheduleRow
  slots: SlotRow
  weekly_hours: WeeklyHoursRow
}
