import { expect, test } from 'vitest'
import {
  bookingPath,
  choiceOf,
  choiceOfParams,
  choiceParamsOf,
  formatChoice,
  formatWallTime,
  instantOfChoice,
  instantsOf,
  nearestTimes,
  paramsOfChoice,
  parseBookingPath,
  readDate,
  readFold,
  readTime,
  slotChoiceOf,
  slotTimeOf,
  wallTime,
  zoneOfChoice,
} from './slot-choice.ts'

test('a choice names its instant only where clocks show the time twice that day', () => {
  const read = (startsAt: string, zone: string) => {
    const choice = slotChoiceOf(startsAt, zone)
    return [formatChoice(choice, zone), slotTimeOf(choice)]
  }
  const second = '2026-10-25T01:30:00Z'
  expect(read(second, 'Europe/London')).toEqual(['01:30 GMT', { startsAt: second }])
  expect(read('2026-10-25T02:30:00Z', 'Europe/London')).toEqual([
    '02:30',
    { date: '2026-10-25', time: '02:30' },
  ])
  const first = '2026-11-01T06:30:00Z'
  expect(read(first, 'America/Chicago')).toEqual(['1:30 am CDT', { startsAt: first }])
})

test('of two times that clocks show alike, a URL marks the second, and is read as that', () => {
  const [london, chicago] = ['Europe/London', 'America/Chicago']
  const night = [
    ['2026-10-25T00:30:00.000Z', london, undefined],
    ['2026-10-25T01:30:00.000Z', london, 1],
    ['2026-10-25T02:30:00.000Z', london, undefined],
    ['2026-11-01T06:30:00.000Z', chicago, undefined],
    ['2026-11-01T07:30:00.000Z', chicago, 1],
  ] as const
  for (const [startsAt, zone, fold] of night) {
    const params = choiceParamsOf(startsAt, zone)
    expect(params.fold).toBe(fold)
    expect(paramsOfChoice(slotChoiceOf(startsAt, zone), zone)).toEqual(params)
    expect(instantOfChoice(choiceOfParams(params, zone), zone)).toBe(startsAt)
  }
})

test('date and time alone are passed on as they are, and fold where clocks show a time once is not', () => {
  const wall = { date: '2026-10-25', time: '01:30' }
  expect(slotTimeOf(choiceOfParams(wall, 'Europe/London'))).toEqual(wall)
  const once = { date: '2026-10-25', time: '02:30' }
  expect(choiceOfParams({ ...once, fold: 1 }, 'Europe/London')).toEqual(once)
  const skipped = { date: '2026-03-29', time: '01:30' }
  expect(choiceOfParams({ ...skipped, fold: 1 }, 'Europe/London')).toEqual(skipped)
  expect(zoneOfChoice(wall, 'Europe/London')).toBe('London time, BST')
  expect(zoneOfChoice(skipped, 'Europe/London')).toBe('London time, BST')
  expect(['1', 1, '2', true, undefined].map(readFold)).toEqual([
    1,
    1,
    undefined,
    undefined,
    undefined,
  ])
})

test('a choice is written in the clinic’s own clock, on both sides of the clock change', () => {
  expect(choiceOf('2026-03-27T10:30:00Z', 'Europe/London')).toEqual({
    date: '2026-03-27',
    time: '10:30',
  })
  expect(choiceOf('2026-03-30T09:30:00Z', 'Europe/London')).toEqual({
    date: '2026-03-30',
    time: '10:30',
  })
  expect(choiceOf('2026-03-03T01:00:00Z', 'America/Los_Angeles')).toEqual({
    date: '2026-03-02',
    time: '17:00',
  })
})

test.each([
  [
    '2026-10-25',
    '01:30',
    'Europe/London',
    ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
  ],
  ['2026-10-25', '02:00', 'Europe/London', ['2026-10-25T02:00:00.000Z']],
  ['2026-03-29', '01:30', 'Europe/London', []],
  ['2026-07-01', '09:00', 'Europe/London', ['2026-07-01T08:00:00.000Z']],
  [
    '2026-11-01',
    '01:00',
    'America/Chicago',
    ['2026-11-01T06:00:00.000Z', '2026-11-01T07:00:00.000Z'],
  ],
  ['2026-11-01', '01:00', 'America/Phoenix', ['2026-11-01T08:00:00.000Z']],
  ['', '01:00', 'Europe/London', []],
])('on %s at %s in %s: the instants the clock shows it', (date, time, timeZone, instants) => {
  expect(instantsOf({ date, time }, timeZone)).toEqual(instants)
})

test('midnight is 00:00, not 24:00', () => {
  expect(wallTime('2026-03-02T00:00:00Z', 'Europe/London')).toBe('00:00')
})

test('only a real day and a real time are taken from a URL', () => {
  expect(readDate('2026-03-02')).toBe('2026-03-02')
  expect(readTime('09:05')).toBe('09:05')
  for (const bad of [
    '2026-02-30',
    '2026-13-01',
    '9999-12-01',
    '3000-01-01',
    '02/03/2026',
    '<b>',
    '',
    7,
    null,
    undefined,
  ]) {
    expect(readDate(bad)).toBeUndefined()
  }
  for (const bad of ['24:00', '9:05', '09:60', "09:00'--", 9, null, undefined]) {
    expect(readTime(bad)).toBeUndefined()
  }
})

test('a wall time is said as the place says it, noon and midnight included', () => {
  expect(formatWallTime('14:05', 'Europe/London')).toBe('14:05')
  expect(formatWallTime('14:05', 'America/Chicago')).toBe('2:05 pm')
  expect(formatWallTime('12:00', 'America/Chicago')).toBe('12:00 pm')
  expect(formatWallTime('00:30', 'America/Chicago')).toBe('12:30 am')
})

const day = (date: string, ...times: string[]) => ({
  date,
  slots: times.map((time) => ({ startsAt: `${date}T${time}:00Z` })),
})

test('the three free times closest to the lost one are offered, earliest first', () => {
  const days = [day('2026-03-02', '09:00', '10:00', '11:30'), day('2026-03-03', '10:30')]
  const wanted = { date: '2026-03-02', time: '10:30' }
  expect(nearestTimes(days, wanted, 'Europe/London')).toEqual([
    '2026-03-02T09:00:00Z',
    '2026-03-02T10:00:00Z',
    '2026-03-02T11:30:00Z',
  ])
})

test('nearness is measured on the clinic’s clock', () => {
  const days = [day('2026-03-02', '14:00', '15:00', '20:00', '21:00')]
  const wanted = { date: '2026-03-02', time: '15:30' }
  expect(nearestTimes(days, wanted, 'America/New_York')[0]).toBe('2026-03-02T15:00:00Z')
  expect(nearestTimes([], wanted, 'America/New_York')).toEqual([])
})

const providerId = `prv_${'0'.repeat(26)}`

test('the way back to the checkout names the provider, the region and the time', () => {
  const path = bookingPath({
    provider: { id: providerId },
    region: 'uk',
    startsAt: '2026-07-01T08:00:00.000Z',
    mainZone: 'Europe/London',
    distance: '0.4',
    typeId: null,
    typeName: null,
    mode: 'in_person',
  })
  expect(path).toBe(
    `/appointment/${providerId}?region=uk&date=2026-07-01&time=09%3A00&distance=0.4`,
  )
  expect(parseBookingPath(path)).toEqual({
    providerId,
    choice: { date: '2026-07-01', time: '09:00' },
    distance: '0.4',
    typeId: undefined,
    mode: undefined,
  })
})

test('and the second of two times that clocks show alike', () => {
  const path = bookingPath({
    provider: { id: providerId },
    region: 'uk',
    startsAt: '2026-10-25T01:30:00.000Z',
    mainZone: 'Europe/London',
    distance: null,
    typeId: null,
    typeName: null,
    mode: 'in_person',
  })
  expect(path).toBe(`/appointment/${providerId}?region=uk&date=2026-10-25&time=01%3A30&fold=1`)
  expect(parseBookingPath(path)?.choice).toEqual({ date: '2026-10-25', time: '01:30', fold: 1 })
})

test('and, of a provider with several types, what it is about and how', () => {
  const typeId = `vtp_${'1'.repeat(26)}`
  const path = bookingPath({
    provider: { id: providerId },
    region: 'uk',
    startsAt: '2026-07-01T08:00:00.000Z',
    mainZone: 'Europe/London',
    distance: null,
    typeId,
    typeName: 'Hygienist',
    mode: 'video',
  })
  expect(parseBookingPath(path)).toMatchObject({ typeId, mode: 'video' })
})

test.each([
  undefined,
  '/userProfile',
  `/appointment/${providerId}`,
  `/appointment/${providerId}?date=2026-02-31&time=09:00`,
  '/appointment/x?date=2026-03-03&time=09:00',
  'https://evil.example/appointment/x?date=2026-03-03&time=09:00',
])('%s is no way to a time', (next) => {
  expect(parseBookingPath(next)).toBeNull()
})
