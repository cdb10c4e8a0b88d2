import * as z from 'zod/mini'

/** Whole hours on the clinic's clock between which reminders may be sent. */
export const EARLIEST_HOURS = [5, 6, 7, 8, 9, 10, 11, 12] as const
export const LATEST_HOURS = [15, 16, 17, 18, 19, 20, 21, 22] as const

const settings = {
  /** A week before the visit. */
  week: z.boolean(),
  /** The day before the visit. */
  day: z.boolean(),
  fromHour: z.literal(EARLIEST_HOURS, { error: 'Choose an hour from the list.' }),
  toHour: z.literal(LATEST_HOURS, { error: 'Choose an hour from the list.' }),
  /** Keeps the provider's name out of email subjects and calendars. */
  discreet: z.boolean(),
}

export const ReminderSettings = z.object(settings)
export type ReminderSettings = z.infer<typeof ReminderSettings>

/** Settings of people who have not chosen any. */
export const DEFAULT_REMINDERS: ReminderSettings = {
  week: true,
  day: true,
  fromHour: 8,
  toHour: 20,
  discreet: false,
}

export const SaveRemindersInput = z.strictObject(settings)
export type SaveRemindersInput = z.infer<typeof SaveRemindersInput>

/** The path that a link in a reminder leads to, before its token. */
export const UNSUBSCRIBE_PATH = '/unsubscribe'

export const UnsubscribeInput = z.strictObject({
  token: z.string().check(z.maxLength(120, { error: 'unsubscribe_link_invalid' })),
})
export type UnsubscribeInput = z.infer<typeof UnsubscribeInput>
