import type { Flag, Instant } from '#db/columns.ts'

/** Reminder settings of one account. Without a row the defaults apply. */
export interface ReminderSettingsRow {
  account_no: number
  week: Flag
  day: Flag
  /** Whole hours in the clinic's local time; reminders are due between them. */
  from_hour: number
  to_hour: number
  /** Leaves the provider's name out of email subjects and calendars. */
  discreet: Flag
  updated_at: Instant
}

/** A reminder that was created; created only once for the same visit, kind and start. */
export interface ReminderRow {
  booking_no: number
  kind: 'week' | 'day'
  /** The start it reminds of: after a move the visit has another key. */
  start_at: Instant
  due_at: Instant
  /** Shared by the visits of one day that go into one email. */
  batch: string
  created_at: Instant
}

export interface RemindersTables {
  reminder_settings: ReminderSettingsRow
  reminders: ReminderRow
}
