import { dateOfDay, dayNumber, weekdayOf } from './base/time.ts'
import type { DateOrder } from './imports.ts'

/** What a text says: days since 1970, minutes after midnight (24:00 is 1,440), minutes ahead of UTC; null if it doesn't. */
export type Moment = { day: number | null; minute: number | null; offset: number | null }

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const WEEKDAY = /\b(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|r|rs|ur)?(?:day)?\b\.?,?/
const HALF = String.raw`(?:[ap]\.? ?m\b\.?|noon\b)`
const CLOCK = new RegExp(
  String.raw`^t?(\d{1,2})(?:[:.h](\d{2})(?:[:.]\d{2}(?:[.,]\d+)?)?)? ?(${HALF})?(?:h|hrs?)?$`,
)
/** "0900", "T090000": without a separator the hour needs both digits. */
const COMPACT_CLOCK = new RegExp(String.raw`^t?(\d{2})(\d{2})(?:\d{2})? ?(${HALF})?(?:h|hrs?)?$`)
const OFFSET =
  /(?<=\d:\d{2}(?::\d{2}(?:[.,]\d+)?)?|t\d{4}(?:\d{2})?) ?(?:(z|utc)|(?:gmt|utc)?([+-])(\d{1,2})(?::?(\d{2}))?)$/

/** A year of two digits is not followed by what would make it a time. */
const YEAR = String.raw`'?(\d{4}|\d{2})(?!\d|[:.h]\d| ?[ap]\.?m)`
const NUMERIC_DATE = new RegExp(String.raw`(?<![\d:])(\d{1,2})([-/.] ?)(\d{1,2})\2${YEAR}`)

type Named = 'year' | 'month' | 'date'

/** Ways to write a date whose order shows, with the order. */
const CLEAR_DATES: readonly (readonly [RegExp, readonly Named[]])[] = [
  [/(?<!\d)(\d{4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})(?!\d)/, ['year', 'month', 'date']],
  [/(?<!\d)(\d{4})([-/. ])([a-z]{3,9})\2(\d{1,2})(?!\d)/, ['year', 'month', 'date']],
  [/(?<!\d)(\d{4})()(\d{2})(\d{2})(?!\d)/, ['year', 'month', 'date']],
  [
    new RegExp(
      String.raw`(?<![\d:])(\d{1,2})(?:st|nd|rd|th)?()(?: of)?[-/. ]*([a-z]{3,9})[-/., ]*${YEAR}`,
    ),
    ['date', 'month', 'year'],
  ],
  [
    new RegExp(String.raw`()([a-z]{3,9})[-/. ]*(\d{1,2})(?:st|nd|rd|th)?[-/., ]+${YEAR}`),
    ['month', 'date', 'year'],
  ],
]

/** Half-width letters in lower case, one kind of space and of dash: what only looks different reads the same. */
function simplify(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Days since 1970; null for a date that does not exist, such as 30 February. */
function dayOf(year: number, month: number, date: number): number | null {
  const two = (part: number) => String(part).padStart(2, '0')
  const iso = `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`
  const day = dayNumber(iso)
  return Number.isNaN(day) || dateOfDay(day) !== iso ? null : day
}

const fullYear = (year: string): number => Number(year) + (year.length === 2 ? 2_000 : 0)

/** The number of a month by its digits or its English name, also shortened. */
function monthOf(text: string): number {
  if (/^\d/.test(text)) return Number(text)
  return text === 'sept' ? 9 : MONTHS.findIndex((name) => name.startsWith(text)) + 1
}

/** Minutes after midnight of "9:30", "9.30", "9 a.m.", "0930" or "24:00"; null for anything else. */
function minuteOf(text: string): number | null {
  if (text === 'noon') return 720
  const [, hours, minutes, half] = CLOCK.exec(text) ?? COMPACT_CLOCK.exec(text) ?? []
  // A bare number is not a time of day.
  if (hours === undefined || (minutes === undefined && half === undefined)) return null
  const minute = Number(minutes ?? 0)
  let hour = Number(hours)
  if (half === 'noon' && (hour !== 12 || minute !== 0)) return null
  if (half?.startsWith('a') === true && hour > 12) return null
  if (half?.startsWith('p') === true && hour === 0) return null
  if (half?.startsWith('a') === true && hour === 12) hour = 0
  if (half?.startsWith('p') === true && hour < 12) hour += 12
  if (hour === 24 && minute === 0) return 1_440
  return hour < 24 && minute < 60 ? hour * 60 + minute : null
}

type FoundDate = { days: { dmy: number | null; mdy: number | null }; rest: string }

/** The date in a text by either order, and the text around it; undefined where there is none. */
function findDate(text: string): FoundDate | undefined {
  const around = (found: RegExpExecArray) =>
    `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
  for (const [pattern, order] of CLEAR_DATES) {
    const found = pattern.exec(text)
    if (found === null) continue
    const cells = found.slice(1).filter((cell) => /^\d+$|^[a-z]{3,}$/.test(cell))
    const part = (name: Named) => cells[order.indexOf(name)] ?? ''
    const day = dayOf(fullYear(part('year')), monthOf(part('month')), Number(part('date')))
    return { days: { dmy: day, mdy: day }, rest: around(found) }
  }
  const found = NUMERIC_DATE.exec(text)
  if (found === null) return undefined
  const [, one = '', , two = '', year = ''] = found
  const dmy = dayOf(fullYear(year), Number(two), Number(one))
  const mdy = dayOf(fullYear(year), Number(one), Number(two))
  return { days: { dmy, mdy }, rest: around(found) }
}

/** What a text says of a date by either order, of a time and of an offset; null where any of it cannot be read. */
function dissect(text: string) {
  let rest = simplify(text)
  const weekday = WEEKDAY.exec(rest)?.[0].slice(0, 3)
  rest = rest
    .replace(WEEKDAY, ' ')
    .replaceAll(/\([a-z ]*\)|\[[a-z_/]*\]|\bat\b/g, ' ')
    .trim()
  const [whole = '', utc, sign, hours, minutes] = OFFSET.exec(rest) ?? []
  const ahead = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  const offset = utc === undefined && sign === undefined ? null : sign === '-' ? -ahead : ahead
  rest = rest.slice(0, rest.length - whole.length)
  const date = findDate(rest)
  const clock = (date?.rest ?? rest).replaceAll(/^[\s,]+|[\s,]+$/g, '').replaceAll(/\s+/g, ' ')
  const minute = clock === '' ? null : minuteOf(clock)
  if ((clock !== '' && minute === null) || (date === undefined && minute === null)) return null
  const check = (day: number | null | undefined) =>
    day !== undefined &&
    day !== null &&
    (weekday === undefined || WEEKDAYS[weekdayOf(day) - 1] === weekday)
      ? day
      : null
  const days = { dmy: check(date?.days.dmy), mdy: check(date?.days.mdy) }
  if (date !== undefined && days.dmy === null && days.mdy === null) return null
  return { days, minute, offset, hasWeekday: weekday !== undefined }
}

/**
 * Reads a date, a time or both, in the ways spreadsheets, calendars and programs write them. Null for anything that has no
 * certain reading; `order_unknown` for one like `03/04/2026`, which needs the order.
 */
export function readMoment(text: string, order?: DateOrder): Moment | 'order_unknown' | null {
  const read = dissect(text)
  if (read === null) return null
  const { days, minute, offset, hasWeekday } = read
  const only = days.dmy ?? days.mdy
  if (order === undefined) {
    const hasTwo = days.mdy !== null && days.mdy !== only
    return hasTwo ? 'order_unknown' : { day: only, minute, offset }
  }
  // What contradicts the order is refused, such as 12/31 with the day first, unless a weekday settles it.
  const day = days[order] ?? (hasWeekday ? only : null)
  return day === null && only !== null ? null : { day, minute, offset }
}

const ENDS_IN_HALF = new RegExp(`${HALF}$`)

/** Splits "10/12/2026 09:00 - 09:30" or "9 to 10:30 am" into start and end; null for anything else. */
export function splitRange(text: string): { start: string; end: string } | null {
  const simple = simplify(text)
  for (const dash of simple.matchAll(/ ?(?:-| to | until | till ) ?/g)) {
    const start = simple.slice(0, dash.index)
    const end = simple.slice(dash.index + dash[0].length)
    const until = timeIn(end)
    if (until === null || until.offset !== null) continue
    const half = ENDS_IN_HALF.test(start) ? undefined : ENDS_IN_HALF.exec(end)?.[0]
    const isDay = until.days.dmy !== null || until.days.mdy !== null
    // "11:30 - 12:30 pm": the half of the end, unless it would then start later.
    for (const one of half === undefined ? [''] : [` ${half}`, ' am']) {
      const from = timeIn(start + one)
      if (from !== null && (isDay || one === '' || from.minute < until.minute)) {
        return { start: start + one, end }
      }
    }
  }
  return null
}

/** What a text says, if it says a time. */
function timeIn(text: string) {
  const read = dissect(text)
  return read === null || read.minute === null ? null : { ...read, minute: read.minute }
}

/** Minutes of "30", "30 min", "0:30", "1 h 15", "1.5 hours" or "PT30M"; null for anything else. */
export function readMinutes(text: string): number | null {
  const simple = simplify(text)
  const plain = /^(\d{1,5})(?:[.,]0+)?(?: ?(?:m|min\.?|mins\.?|minutes?))?$/.exec(simple)
  if (plain !== null) return Number(plain[1])
  const clock = /^(\d{1,2}):([0-5]\d)(?::00)?(?: ?(?:h|hrs?|hours?))?$/.exec(simple)
  if (clock !== null) {
    const minutes = Number(clock[1]) * 60 + Number(clock[2])
    // "30:00" may be minutes and seconds.
    return minutes <= 1_440 ? minutes : null
  }
  const iso = /^pt(?=\d)(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:0+s)?$/.exec(simple)
  if (iso !== null) return Number(iso[1] ?? 0) * 60 + Number(iso[2] ?? 0)
  const hours =
    /^(\d{1,2}(?:[.,]\d{1,2})?) ?(?:h|hrs?|hours?)\.?(?:,? ?(?:and )?(\d{1,2}) ?(?:m|min\.?|mins\.?|minutes?)?)?$/.exec(
      simple,
    )
  if (hours === null) return null
  const minutes = Number((hours[1] ?? '').replace(',', '.')) * 60 + Number(hours[2] ?? 0)
  return Number.isInteger(minutes) ? minutes : null
}

/** Whether a cell says that its row lasts all day. */
export function isYes(text: string): boolean {
  return /^(?:true|yes|y|1|x|on)$/.test(simplify(text))
}

/**
 * The order of day and month in a file's dates, from those that have one reading: null where no date needs it, `ask`
 * where only a person can tell.
 */
export function orderOf(texts: Iterable<string>): DateOrder | 'ask' | null {
  const clear = new Set<DateOrder>()
  let isOpen = false
  for (const text of texts) {
    const { start, end } = splitRange(text) ?? { start: text, end: '' }
    for (const one of [start, end]) {
      const days = one.trim() === '' ? undefined : dissect(one)?.days
      if (days === undefined || days.dmy === days.mdy) continue
      if (days.dmy !== null && days.mdy !== null) isOpen = true
      else clear.add(days.dmy === null ? 'mdy' : 'dmy')
    }
  }
  if (!isOpen) return null
  const [only] = clear
  return clear.size === 1 && only !== undefined ? only : 'ask'
}
