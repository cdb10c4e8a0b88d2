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
 * How a provider's slots are generated; without a row here there are none. The hours, extra dates and
 * absences below complete it, all in the local time of their place.
 */
export interface ScheduleRow {
  provider_no: number
  /** Minimum notice: earlier slots are not offered. */
  notice_minutes: number
  /** Days after today for which slots are made. */
  horizon_days: number
  /** Kept free between two visits. */
  buffer_minutes: number
  closed_on_holidays: Flag
  /** Weekly hours repeat after this many weeks. */
  rotation_weeks: number
  /** ISO date of a day in week 1 of the rotation. */
  rotation_from: string
  /** ISO date: slots are made for the days before it. */
  generated_to: string
  /** When the next day enters the horizon. */
  extend_at: Instant
  /** When the first free slot comes within the notice period; may be too early, never too late. */
  withdraw_at: Instant
  /** Incremented by changes, so that a stale browser window cannot overwrite a newer one. */
  version: number
  updated_at: Instant
}

export interface WeeklyHoursRow {
  no: Generated<number>
  provider_no: number
  place_no: number
  /** Week of the rotation, from 1. */
  week: number
  /** 1 is Monday. */
  weekday: number
  /** Minutes after midnight. */
  from_minute: number
  /** Exclusive; 1,440 is midnight. */
  to_minute: number
}

/** Hours on one day, in addition to the weekly ones or replacing them. */
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

/** Part of a day without bookings, in the local time of the main place. */
export interface BlockRow {
  id: string
  provider_no: number
  /** ISO date of the day, or of the first one for a weekly block. */
  date: string
  is_weekly: Flag
  /** ISO date of a weekly block's last day; null if it has no end. */
  until_date: string | null
  from_minute: number
  to_minute: number
  note: string
}

/**
 * Time when a provider is busy elsewhere, without any details. Rows of one calendar do not overlap, those of
 * several may. They are not claims: slots that overlap them are not generated.
 */
export interface BusyTimeRow {
  provider_no: number
  source: 'calendar' | 'import'
  /** The calendar it comes from; null for an import. */
  calendar_id: string | null
  /** The last import that included it; null for a calendar. */
  import_id: string | null
  /** Keyed hash to recognise the same appointment when it is imported again. */
  key: string | null
  start_at: Instant
  end_at: Instant
  /** For an import: the provider's name for it, sealed. */
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
