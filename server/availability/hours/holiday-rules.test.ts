import { expect, test } from 'vitest'
import { dateOfDay, weekdayOf } from '#contract/base/time.ts'
import { calendarOf, holidayOn, holidaysOf } from './holiday-rules.ts'

/** Official lists leave out weekends. */
function weekdays(calendar: Parameters<typeof holidaysOf>[0], year: number): string[] {
  return [...holidaysOf(calendar, year).keys()]
    .filter((day) => weekdayOf(day) < 6)
    .toSorted((a, b) => a - b)
    .map((day) => dateOfDay(day).slice(5))
}

// As published on gov.uk/bank-holidays and by the US Office of Personnel Management.
test.each([
  ['england_wales', 2025, '01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26'],
  ['england_wales', 2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  ['england_wales', 2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  ['england_wales', 2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
  ['scotland', 2025, '01-01 01-02 04-18 05-05 05-26 08-04 12-01 12-25 12-26'],
  ['scotland', 2027, '01-01 01-04 03-26 05-03 05-31 08-02 11-30 12-27 12-28'],
  ['scotland', 2022, '01-03 01-04 04-15 05-02 05-30 08-01 11-30 12-26 12-27'],
  ['northern_ireland', 2026, '01-01 03-17 04-03 04-06 05-04 05-25 07-13 08-31 12-25 12-28'],
  ['usa', 2026, '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'],
  ['usa', 2027, '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'],
] as const)('the public holidays of %s in %i match the official list', (calendar, year, days) => {
  expect(weekdays(calendar, year).join(' ')).toBe(days)
})

test('a holiday on a weekend also counts on its own day', () => {
  const named = [...holidaysOf('england_wales', 2026)].filter(([, name]) => name.includes('Boxing'))
  expect(named.map(([day, name]) => [dateOfDay(day), name])).toEqual(
    expect.arrayContaining([
      ['2026-12-26', 'Boxing Day'],
      ['2026-12-28', 'Boxing Day (substitute day)'],
    ]),
  )
})

test.each([
  ['uk', 'SE1 6ET', 'england_wales'],
  ['uk', 'CF10 1AA', 'england_wales'],
  ['uk', 'EH1 1YZ', 'scotland'],
  ['uk', 'G1 1XQ', 'scotland'],
  ['uk', 'GL1 1AA', 'england_wales'],
  ['uk', 'GU1 1AA', 'england_wales'],
  ['uk', 'KT1 1AA', 'england_wales'],
  ['uk', 'TD1 1AA', 'scotland'],
  ['uk', 'TD15 1AA', 'england_wales'],
  ['uk', 'BT1 1AA', 'northern_ireland'],
  ['uk', 'B1 1AA', 'england_wales'],
  ['usa', '78701', 'usa'],
] as const)('%s %s has the holidays of %s', (region, postcode, calendar) => {
  expect(calendarOf(region, postcode)).toBe(calendar)
})

test('an ordinary day is not a holiday', () => {
  expect(holidayOn('england_wales', 20_514)).toBeNull()
})
