import * as z from 'zod/mini'

/** An instant on the wire: ISO 8601 in UTC with a Z. */
export const IsoInstant = z.iso.datetime()
export type IsoInstant = z.infer<typeof IsoInstant>

/** A calendar day in the clinic's own zone: `2026-03-02`. Impossible days are refused. */
export const IsoDate = z.iso.date()
export type IsoDate = z.infer<typeof IsoDate>

/** Milliseconds in one day of 24 hours; calendar days go through Temporal instead. */
export const DAY_MS = 86_400_000

/** Converts epoch milliseconds to their form on the wire. */
export function toIso(epochMs: number): IsoInstant {
  return new Date(epochMs).toISOString()
}

/** Days since 1970 of a valid ISO date, for date arithmetic. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

/** The ISO date of a number of days since 1970. */
export function dateOfDay(day: number): IsoDate {
  return toIso(day * DAY_MS).slice(0, 10)
}

/** 1 is Monday and 7 is Sunday, as in ISO 8601; `day` counts from 1970-01-01, a Thursday. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** Minutes after midnight as a clock shows them: `09:30`, or `9:30 am`; 1,440 is the end of the day. */
export function clockText(minutes: number, hour12 = false): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const hour = Math.floor(minutes / 60)
  if (!hour12) return `${two(hour)}:${two(minutes % 60)}`
  return `${((hour + 11) % 12) + 1}:${two(minutes % 60)} ${hour % 24 < 12 ? 'am' : 'pm'}`
}
