import type { HolidayCalendar } from '#contract/availability.ts'
import type { Region } from '#contract/base/region.ts'
import { dateOfDay, dayNumber, weekdayOf } from '#contract/base/time.ts'

/** Days since 1970. */
type Day = number
type Holiday = { day: Day; name: string }

const SATURDAY = 6
const SUNDAY = 7

/** Postcode areas of Scotland; Berwick (TD15) is in England though its area is not. */
const SCOTTISH = /^(?:AB|DD|DG|EH|FK|G|HS|IV|KA|KW|KY|ML|PA|PH|TD(?!15)|ZE)\d/

/** The public holiday calendar of a place, by its postcode. */
export function calendarOf(region: Region, postcode: string): HolidayCalendar {
  if (region === 'usa') return 'usa'
  const code = postcode.toUpperCase().replaceAll(' ', '')
  if (/^BT\d/.test(code)) return 'northern_ireland'
  return SCOTTISH.test(code) ? 'scotland' : 'england_wales'
}

function dayOf(year: number, month: number, dayOfMonth: number): Day {
  const two = (n: number) => String(n).padStart(2, '0')
  return dayNumber(`${year}-${two(month)}-${two(dayOfMonth)}`)
}

/** The nth given weekday of a month. */
function nthWeekday(year: number, month: number, [weekday, n]: readonly [number, number]): Day {
  const first = dayOf(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1)
}

/** The last Monday of a month of 31 days. */
function lastMonday(year: number, month: number): Day {
  const last = dayOf(year, month, 31)
  return last - ((weekdayOf(last) - 1) % 7)
}

/** Easter Sunday of the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8). */
function easter(year: number): Day {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return dayOf(year, month, ((h + l - 7 * m + 114) % 31) + 1)
}

/** Holidays on a weekend are also observed on the next weekday that is not a holiday. */
function withSubstitutes(fixed: readonly Holiday[], others: readonly Holiday[]): Holiday[] {
  const taken = new Set([...fixed, ...others].map(({ day }) => day))
  const substitutes = fixed.flatMap(({ day, name }) => {
    if (weekdayOf(day) < SATURDAY) return []
    let substitute = day
    while (weekdayOf(substitute) >= SATURDAY || taken.has(substitute)) substitute += 1
    taken.add(substitute)
    return [{ day: substitute, name: `${name} (substitute day)` }]
  })
  return [...fixed, ...others, ...substitutes]
}

function britishHolidays(calendar: Exclude<HolidayCalendar, 'usa'>, year: number): Holiday[] {
  const isScotland = calendar === 'scotland'
  const fixed = [
    { day: dayOf(year, 1, 1), name: 'New Year’s Day' },
    { day: dayOf(year, 12, 25), name: 'Christmas Day' },
    { day: dayOf(year, 12, 26), name: 'Boxing Day' },
  ]
  if (isScotland) {
    fixed.splice(1, 0, { day: dayOf(year, 1, 2), name: '2 January' })
    fixed.push({ day: dayOf(year, 11, 30), name: 'St Andrew’s Day' })
  }
  if (calendar === 'northern_ireland') {
    fixed.push(
      { day: dayOf(year, 3, 17), name: 'St Patrick’s Day' },
      { day: dayOf(year, 7, 12), name: 'Battle of the Boyne' },
    )
  }
  const sunday = easter(year)
  const others = [
    { day: sunday - 2, name: 'Good Friday' },
    { day: nthWeekday(year, 5, [1, 1]), name: 'Early May bank holiday' },
    { day: lastMonday(year, 5), name: 'Spring bank holiday' },
    {
      day: isScotland ? nthWeekday(year, 8, [1, 1]) : lastMonday(year, 8),
      name: 'Summer bank holiday',
    },
  ]
  if (!isScotland) others.push({ day: sunday + 1, name: 'Easter Monday' })
  return withSubstitutes(fixed, others)
}

/** Observed on the Friday before a Saturday, and on the Monday after a Sunday. */
function observed({ day, name }: Holiday): Holiday[] {
  const weekday = weekdayOf(day)
  if (weekday < SATURDAY) return []
  return [{ day: weekday === SUNDAY ? day + 1 : day - 1, name: `${name} (observed)` }]
}

function federalHolidays(year: number): Holiday[] {
  const fixed = [
    { day: dayOf(year, 1, 1), name: 'New Year’s Day' },
    { day: dayOf(year, 6, 19), name: 'Juneteenth' },
    { day: dayOf(year, 7, 4), name: 'Independence Day' },
    { day: dayOf(year, 11, 11), name: 'Veterans Day' },
    { day: dayOf(year, 12, 25), name: 'Christmas Day' },
  ]
  const nextNewYear = { day: dayOf(year + 1, 1, 1), name: 'New Year’s Day' }
  return [
    ...fixed,
    { day: nthWeekday(year, 1, [1, 3]), name: 'Birthday of Martin Luther King, Jr.' },
    { day: nthWeekday(year, 2, [1, 3]), name: 'Washington’s Birthday' },
    { day: lastMonday(year, 5), name: 'Memorial Day' },
    { day: nthWeekday(year, 9, [1, 1]), name: 'Labor Day' },
    { day: nthWeekday(year, 10, [1, 2]), name: 'Columbus Day' },
    { day: nthWeekday(year, 11, [4, 4]), name: 'Thanksgiving Day' },
    // Next year's New Year's Day may be observed in this year.
    ...[...fixed, nextNewYear].flatMap(observed),
  ]
}

const holidayCache = new Map<string, ReadonlyMap<Day, string>>()

/**
 * The public holidays of a year by day, computed: for the UK from the Banking and Financial Dealings Act 1971
 * with the substitute days of gov.uk/bank-holidays, for the USA from 5 U.S.C. 6103 with the days they are
 * observed on. A holiday on a weekend also counts on its own day. One-off holidays, such as a coronation,
 * follow no rule: providers enter them as absences.
 */
export function holidaysOf(calendar: HolidayCalendar, year: number): ReadonlyMap<Day, string> {
  const key = `${calendar} ${year}`
  let days = holidayCache.get(key)
  if (days === undefined) {
    const all = calendar === 'usa' ? federalHolidays(year) : britishHolidays(calendar, year)
    const ofYear = all.filter(({ day }) => dateOfDay(day).startsWith(`${year}-`))
    // A holiday's own name wins over one that is observed on the same day.
    days = new Map(ofYear.toReversed().map(({ day, name }) => [day, name]))
    holidayCache.set(key, days)
  }
  return days
}

/** The name of the public holiday on a day, or null. */
export function holidayOn(calendar: HolidayCalendar, day: Day): string | null {
  return holidaysOf(calendar, Number(dateOfDay(day).slice(0, 4))).get(day) ?? null
}
