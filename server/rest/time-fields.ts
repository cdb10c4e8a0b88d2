import * as z from 'zod/mini'
import { SlotTime } from '#contract/booking.ts'
import { Clock, Day } from './call.ts'

/** The time of a visit, of which `starts_at` alone tells apart two that clocks show alike. */
export const timeFields = {
  date: z.optional(Day),
  time: z.optional(Clock),
  starts_at: SlotTime.shape.startsAt,
}

export type TimeFields = { [Name in keyof typeof timeFields]?: string | undefined }

/** Whether they name a time at all. */
export function namesTime({ date, time, starts_at: at }: TimeFields): boolean {
  return at !== undefined || (date !== undefined && time !== undefined)
}

export const timeRequired = z.refine<TimeFields>(namesTime, {
  error: 'date_invalid',
  path: ['date'],
})

/** The time as procedures take it. */
export function slotOf({ date, time, starts_at: startsAt }: TimeFields): SlotTime {
  return { date, time, startsAt }
}

/** What the descriptions of calls say about these fields. */
export const aboutTwice =
  'Of a time that occurs twice when clocks go back the first is meant: send `starts_at`, an instant such as 2026-10-25T01:30:00Z, instead of the date and time for the second.'
