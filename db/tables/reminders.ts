import type { Flag, Instant } from '#db/columns.ts'

/** What one account wants to be reminded of. Without a row the usual settings hold. */
export interface ReminderSettingsRow {
  account_no: number
  week: Flag
  day: Flag
  /** Whole hours on the clock of the clinic; reminders fall due between them. */
  from_hour: number
  to_hour: number
  /** No provider's name in subjects of emails and in calendars. */
  discreet: Flag
  updated_at: Instant
}

/** A reminder that was written; never written twice for the same visit, kind and start. */
export interface ReminderRow {
  booking_no: number
  kind: 'week' | 'day'
  /** The start it reminds of: a visit that has moved since has another key. */
  start_at: Instant
  due_at: Instant
  /** Shared by the visits of one day that are told of in one email. */
  batch: string
  created_at: Instant
}

export interface RemindersTables {
  reminder_settings: ReminderSettingsRow
  reminders: ReminderRow
}
