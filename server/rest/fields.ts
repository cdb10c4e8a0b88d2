import * as z from 'zod/mini'
import type { Money } from '#contract/money.ts'
import { toIso } from '#contract/time.ts'
import { wallClock } from '#db/columns.ts'
import { AppError } from '#server/kernel/errors.ts'

// Conversions between the formats of the documented calls and of the procedures.

const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

function isoOf(text: string): string {
  const [, day, month, year] = SLASHED.exec(text.trim()) ?? []
  if (day === undefined || month === undefined) return text
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** A date in the format of the documented calls, day/month/year; ISO is accepted too. */
export const Day = z.pipe(
  z.string({ error: 'date_invalid' }).check(
    z.meta({
      description: 'Day/month/year, such as 02/03/2026; 2026-03-02 is read too.',
      examples: ['02/03/2026'],
    }),
  ),
  z.pipe(z.transform(isoOf), z.iso.date({ error: 'date_invalid' })),
)

const TWELVE_HOUR_TIME = /^(1[0-2]|0?[1-9])[:.]([0-5]\d)\s*([ap])\.?m\.?$/i

function clockOf(text: string): string {
  const [, hour, minute, half] = TWELVE_HOUR_TIME.exec(text.trim()) ?? []
  if (hour === undefined) return text.trim().replace(/^(\d):/, '0$1:')
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/** A time of day at the clinic: 14:30, or 2:30 PM. */
export const Clock = z.pipe(
  z
    .string({ error: 'date_invalid' })
    .check(z.meta({ description: 'At the clinic: 14:30, or 2:30 PM.', examples: ['14:30'] })),
  z.pipe(
    z.transform(clockOf),
    z
      .string({ error: 'date_invalid' })
      .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'date_invalid' })),
  ),
)

/** A number in a query; `schema` checks its value. */
export function numeric<S extends z.ZodMiniType<unknown, number>>(schema: S) {
  const read = (text: unknown) =>
    typeof text === 'string' && /^\s*[+-]?[\d.]/.test(text) ? Number(text) : Number.NaN
  return z.pipe(z.transform(read), schema)
}

const FLAGS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }

/** A boolean in a query or a form: true, false, 1 or 0, and `on` from a ticked box. */
export const Flag = z.pipe(
  z.transform((text: unknown) =>
    typeof text === 'string' ? (FLAGS[text.toLowerCase()] ?? (text === 'on' || text)) : text,
  ),
  z.boolean({ error: 'Send true or false.' }),
)

/** `60.00` for 6000. */
export function majorText({ minor }: Pick<Money, 'minor'>): string {
  const text = String(minor).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}

/** 6000 for `60`, `60.0` and 60.00; NaN for an invalid amount. */
export function minorOf(major: unknown): number {
  const text = typeof major === 'number' ? String(major) : major
  const [, whole, cents = ''] =
    (typeof text === 'string' ? /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim()) : null) ?? []
  return whole === undefined ? Number.NaN : Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

/** `02/03/2026` for an ISO date. */
export function formatSlashedDate(date: string): string {
  return date.split('-').toReversed().join('/')
}

/** Local date and time of an instant, in the format of the documented calls. */
export function wallOf(iso: string, timeZone: string): { date: string; time: string } {
  const wall = toIso(wallClock(Temporal.Instant.from(iso).epochMilliseconds, timeZone))
  return { date: formatSlashedDate(wall.slice(0, 10)), time: wall.slice(11, 16) }
}

/** An amount in pounds or dollars with two decimals. */
export const Amount = z.string().check(z.regex(/^\d+\.\d{2}$/), z.meta({ examples: ['60.00'] }))

/** Fields of a successful response whose documented form is "not shown". */
export const okFields = { status: z.literal(true), message: z.string() }

/** Fields of a successful response. */
export const OK = { status: true } as const

/** A successful response with a message. */
export function okMessage(message: string): { status: true; message: string } {
  return { status: true, message }
}

/** An id from the path. A malformed id is `not_found`, like an unknown one. */
export function parseId<S extends z.ZodMiniType<string>>(schema: S, text: string | undefined) {
  const { data } = schema.safeParse(text)
  if (data === undefined) throw new AppError('not_found')
  return data
}
