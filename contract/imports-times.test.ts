import { expect, test } from 'vitest'
import { isYes, orderOf, readMinutes, readMoment, splitRange } from './imports-times.ts'

/** "2026-12-10 09:00 +00:00" of a reading. */
function show(text: string, order?: 'dmy' | 'mdy'): string | null {
  const read = readMoment(text, order)
  if (read === null || typeof read === 'string') return read
  const { day, minute, offset } = read
  const date = day === null ? '' : new Date(day * 86_400_000).toISOString().slice(0, 10)
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  const time = minute === null ? '' : `${two(minute / 60)}:${two(minute % 60)}`
  return [date, time, ...(offset === null ? [] : [String(offset)])].filter(Boolean).join(' ')
}

test.each([
  // One reading, whatever the order.
  '10-Dec-26 09:00',
  '10-Dec-2026 9:00',
  '10 December 2026 09:00',
  '10th of December 2026, 09:00',
  '10 Dec. 2026 09:00',
  '10DEC2026 0900',
  'Thu 10/12/2026 09:00',
  'Thursday, 10 December 2026 09:00',
  '10/12/2026 (Thu) 09:00',
  'Thurs. 10.12.26 9.00',
  'Dec 10, 2026 9:00 AM',
  'December 10th, 2026 at 9:00 a.m.',
  'Thu, Dec 10, 2026, 9:00 AM',
  'Dec-10-2026 9am',
  '2026/12/10 09:00',
  '2026.12.10 09:00',
  '2026-12-10 09:00:00',
  '2026-12-10T09:00:00.000',
  '2026-Dec-10 09:00',
  '20261210T090000',
  '20261210 0900',
  '20261210T0900',
  '09:00 10 Dec 2026',
  '10\u00a0December\u00a02026 9:00\u202fAM',
  '\u200e10 December 2026 09:00\u200e',
  '１０ December ２０２６ ９:００',
  '10 December 2026 09:00 hrs',
  '10 December 2026 9h00',
])('%s is nine on 10 December', (text) => {
  expect([show(text), show(text, 'dmy'), show(text, 'mdy')]).toEqual(
    Array.from({ length: 3 }, () => '2026-12-10 09:00'),
  )
})

test.each([
  ['2026-12-10 09:00:00+00', '2026-12-10 09:00 0'],
  ['2026-12-10 09:00:00+00:00', '2026-12-10 09:00 0'],
  ['2026-12-10T09:00Z', '2026-12-10 09:00 0'],
  ['20261210T090000Z', '2026-12-10 09:00 0'],
  ['2026-12-10 09:00 UTC', '2026-12-10 09:00 0'],
  ['2026-12-10T09:00:00-05', '2026-12-10 09:00 -300'],
  ['2026-12-10T09:00:00+0530', '2026-12-10 09:00 330'],
  ['2026-12-10T09:00:00+00:00[Europe/London]', '2026-12-10 09:00 0'],
  ['Thu, 10 Dec 2026 09:00:00 +0000', '2026-12-10 09:00 0'],
  ['Thu Dec 10 2026 09:00:00 GMT+0000 (Greenwich Mean Time)', '2026-12-10 09:00 0'],
])('%s has an offset', (text, shown) => {
  expect(show(text)).toBe(shown)
})

test.each([
  ['24:00', '24:00'],
  ['0:30', '00:30'],
  ['9.30', '09:30'],
  ['9.30 p.m.', '21:30'],
  ['9 p. m.', '21:00'],
  ['12:15 am', '00:15'],
  ['12 noon', '12:00'],
  ['noon', '12:00'],
  ['14:00 PM', '14:00'],
  ['0930', '09:30'],
  ['10/12/2026', 'order_unknown'],
  ['10/12/2026 24:00', 'order_unknown'],
  ['12/31/2026', '2026-12-31'],
  ['31/12/26', '2026-12-31'],
  ['12/12/2026', '2026-12-12'],
  ['Thu 11/12/2026', '2026-11-12'],
])('%s reads %s', (text, shown) => {
  expect(show(text)).toBe(shown)
})

test.each([
  '',
  'soon',
  '9',
  '900',
  '25:00',
  '24:01',
  '13:00 am',
  '0:30 pm',
  'midnight',
  '31/02/2026',
  '30 February 2026',
  '10 Dec 09:00',
  '10 Nevember 2026',
  'Fri 10 December 2026',
  'Wed 10/12/2026',
  '10/12',
  '10/12/2026 9',
  '2026-12-10 09:00 EST',
  '2026-W50-4',
  '46366.375',
  '99999999',
])('%j has no certain reading', (text) => {
  expect(readMoment(text, 'dmy')).toBeNull()
})

test('the order decides what has two readings, and nothing else', () => {
  expect([show('03/04/2026', 'dmy'), show('03/04/2026', 'mdy')]).toEqual([
    '2026-04-03',
    '2026-03-04',
  ])
  expect([show('12/31/2026'), show('12/31/2026', 'mdy')]).toEqual(['2026-12-31', '2026-12-31'])
  expect(show('12/31/2026', 'dmy')).toBeNull()
  expect(show('Thu 10/12/2026', 'mdy')).toBe('2026-12-10')
})

test.each([
  ['30', 30],
  ['30.0', 30],
  ['30 min', 30],
  ['30 mins.', 30],
  ['45 Minutes', 45],
  ['30m', 30],
  ['0:30', 30],
  ['00:30:00', 30],
  ['1:15', 75],
  ['1 h', 60],
  ['1h30', 90],
  ['1 hr 15 min', 75],
  ['1 hour and 30 minutes', 90],
  ['1.5 hours', 90],
  ['0,5 h', 30],
  ['PT30M', 30],
  ['PT1H15M', 75],
  ['30\u00a0min', 30],
  ['30:00', null],
  ['half an hour', null],
  ['30 s', null],
  ['PT', null],
  ['1:75', null],
  ['', null],
])('a length of %j is %s minutes', (text, minutes) => {
  expect(readMinutes(text)).toBe(minutes)
})

test.each([
  ['09:00 - 09:30', '09:00', '09:30'],
  ['09:00–09:30', '09:00', '09:30'],
  ['9 am to 10 am', '09:00', '10:00'],
  ['9-10:30 am', '09:00', '10:30'],
  ['11:30 - 12:30 pm', '11:30', '12:30'],
  ['1:00-2:00 p.m.', '13:00', '14:00'],
  ['10 Dec 2026 09:00 - 09:30', '2026-12-10 09:00', '09:30'],
  ['2026-12-10 09:00 - 2026-12-10 09:30', '2026-12-10 09:00', '2026-12-10 09:30'],
])('%s is a range', (text, from, until) => {
  const range = splitRange(text)
  expect([show(range?.start ?? ''), show(range?.end ?? '')]).toEqual([from, until])
})

test.each(['10-Dec-26', '2026-12-10', '09:00', '10-12-2026 09:00', 'to', '-'])(
  '%s is no range',
  (text) => {
    expect(splitRange(text)).toBeNull()
  },
)

test.each([
  [['10-Dec-26', '2026-12-10', '09:00', ''], null],
  [['12/31/2026', '05/05/2026'], null],
  [['03/04/2026', '12/12/2026'], 'ask'],
  [['03/04/2026', '31/12/2026'], 'dmy'],
  [['03/04/2026', '12/31/2026'], 'mdy'],
  [['03/04/2026', '12/31/2026', '31/12/2026'], 'ask'],
  [['03/04/2026', 'Thu 10/12/2026'], 'dmy'],
  [['03/04/2026 09:00 - 09:30'], 'ask'],
])('the order of %j: %s', (texts, order) => {
  expect(orderOf(texts)).toBe(order)
})

test('a cell that says yes', () => {
  expect(['TRUE', 'True', 'yes', '1'].filter(isYes)).toHaveLength(4)
  expect(['FALSE', '', 'no', '0'].filter(isYes)).toEqual([])
})
