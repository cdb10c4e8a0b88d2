import { expect, test } from 'vitest'
import { HoldInput, Purpose, purposeProblem } from '#contract/booking.ts'
import {
  assertHoldLimits,
  instantsAt,
  isActiveHold,
  nearestOf,
  parseCursor,
  slotAt,
} from './rules.ts'

const iso = (instants: number[]) => instants.map((at) => new Date(at).toISOString())

test.each([
  ['Europe/London', '2027-03-02', '09:30', ['2027-03-02T09:30:00.000Z']],
  ['Europe/London', '2027-07-02', '09:30', ['2027-07-02T08:30:00.000Z']],
  ['America/Chicago', '2027-07-02', '09:30', ['2027-07-02T14:30:00.000Z']],
  ['Pacific/Honolulu', '2027-11-07', '01:30', ['2027-11-07T11:30:00.000Z']],
  // Clocks skip this local time.
  ['Europe/London', '2027-03-28', '01:30', []],
  ['America/New_York', '2027-03-14', '02:30', []],
  ['Europe/London', '2027-03-28', '02:00', ['2027-03-28T01:00:00.000Z']],
  // Clocks go back: this time occurs twice, an hour apart.
  [
    'Europe/London',
    '2027-10-31',
    '01:30',
    ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z'],
  ],
  [
    'America/New_York',
    '2027-11-07',
    '01:00',
    ['2027-11-07T05:00:00.000Z', '2027-11-07T06:00:00.000Z'],
  ],
])('in %s, %s %s is at %j', (zone, date, time, instants) => {
  expect(iso(instantsAt(zone, date, time))).toEqual(instants)
})

test('a skipped local time is refused, and a repeated one means the first', () => {
  const zone = 'Europe/London'
  expect(() => slotAt({ date: '2027-03-28', time: '01:30' }, zone)).toThrow(
    'This time does not exist on that day (clocks change).',
  )
  expect(iso(slotAt({ date: '2027-10-31', time: '01:30' }, zone))[0]).toBe(
    '2027-10-31T00:30:00.000Z',
  )
  expect(iso(slotAt({ startsAt: '2027-10-31T01:30:00Z' }, zone))).toEqual([
    '2027-10-31T01:30:00.000Z',
  ])
})

const providerId = `prv_${'0'.repeat(26)}`

test.each([
  [{ date: '31/02/2027', time: '09:30' }],
  [{ date: '2027-02-31', time: '09:30' }],
  [{ date: '2027-13-01', time: '09:30' }],
  [{ date: 'tomorrow', time: '09:30' }],
  [{ date: '2027-03-01', time: '24:00' }],
  [{ date: '2027-03-01', time: '9.30' }],
  [{ date: '2027-03-01' }],
  [{ time: '09:30' }],
  [{ startsAt: '2027-02-31T09:30:00Z' }],
  [{ startsAt: '2027-03-01T09:30:00Z', date: '2027-03-01', time: '09:30' }],
  [{}],
])('%j is not a time', (when) => {
  const { error } = HoldInput.safeParse({ providerId, ...when })
  expect(error?.issues.map(({ message }) => message)).toContain('date_invalid')
})

test('a hold is active until just before its end', () => {
  const hold = { state: 'held', hold_until: 1_000, renewed: 0 } as const
  expect(isActiveHold(hold, 999)).toBe(true)
  expect(isActiveHold(hold, 1_000)).toBe(false)
  expect(isActiveHold({ ...hold, state: 'released' }, 999)).toBe(false)
})

const DAY = 86_400_000
const booked = (ago: number) =>
  ({ state: 'confirmed', hold_until: 0, confirmed_at: 10 * DAY - ago }) as const

test('at most ten visits are booked within a day; the eleventh waits until the oldest is a day old', () => {
  const nine = Array.from({ length: 9 }, () => booked(1_000))
  expect(() => assertHoldLimits([...nine, booked(DAY)], 10 * DAY)).not.toThrow()
  const oldest = booked(DAY - 5_000)
  expect(() => assertHoldLimits([...nine, oldest], 10 * DAY)).toThrow(
    expect.objectContaining({ code: 'rate_limited', details: { retryAfterSeconds: 5 } }),
  )
})

test('at most three holds are active; expired ones do not count', () => {
  const held = (until: number) =>
    ({ state: 'held', hold_until: until, confirmed_at: null }) as const
  const two = [held(11 * DAY), held(11 * DAY)]
  expect(() => assertHoldLimits([...two, held(10 * DAY)], 10 * DAY)).not.toThrow()
  expect(() => assertHoldLimits([...two, held(11 * DAY)], 10 * DAY)).toThrow(
    expect.objectContaining({ code: 'too_many_holds' }),
  )
})

test('the three nearest are in chronological order; of two equally near the earlier', () => {
  expect(nearestOf([10, 40, 70, 90, 130], 80)).toEqual([40, 70, 90])
  expect(nearestOf([60, 100, 20, 140], 80)).toEqual([20, 60, 100])
  expect(nearestOf([], 80)).toEqual([])
})

test.each(['', '1', '1.', '-1.2', '1.2.3', '1e9.1', '9999999999999999.1'])(
  'the cursor "%s" is refused',
  (text) => {
    expect(() => parseCursor(text)).toThrow('Choose a page between 1 and 10,000.')
  },
)

test('a purpose loses invisible characters, and keeps lines and letters of every script', () => {
  const seen = (text: string) => Purpose.parse(text)
  expect(seen('My knee\u202e hurts\u2066 a\u0007lot\r\non the\tstairs\u200f')).toBe(
    'My knee hurts alot\non the stairs',
  )
  const persian = 'زانویم درد می\u200cکند، دو هفته است'
  expect(seen(persian)).toBe(persian)
  expect(() => seen('\u202e'.repeat(20))).toThrow('Add a valid concern')
})

test.each([
  ['', 'Add a valid concern'],
  ['1234567890', 'Add a valid concern'],
  ['.......   ', 'Add a valid concern'],
  ['my tooth  ', 'Please describe more about your medical concern'],
  ['ten letter', 'Please describe more about your medical concern'],
  ['eleven char', null],
  ['ألم في الأسنان', null],
  ['我的牙齿疼得很厉害已经三天了', null],
  ['  12345678901  ', null],
  ['x'.repeat(2_000), null],
  ['x'.repeat(2_345), 'Shorten this to 2,000 characters; it has 2,345.'],
])('the purpose "%.20s" gets: %s', (text, problem) => {
  expect(purposeProblem(text)).toBe(problem)
})
