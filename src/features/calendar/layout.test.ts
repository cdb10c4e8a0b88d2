import { expect, test } from 'vitest'
import type { TimeReason, WeekPlan } from '#contract/availability.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { clipBands, clockMinutes, layOut, mergedFreeTimes } from './layout.ts'

const placeId = `plc_${'0'.repeat(26)}`

function stretch(startsAt: string, endsAt: string, reason: TimeReason, label: string = reason) {
  const placeIdThere = reason === 'outside_hours' ? null : placeId
  return { startsAt, endsAt, reason, placeId: placeIdThere, from: '', to: '', label, text: '' }
}

const plan = (...days: WeekPlan['days']): WeekPlan => ({
  timeZone: 'Europe/London',
  today: '2026-03-30',
  days,
})

const visit = (startsAt: string, endsAt: string): WeekVisit => ({
  id: `apt_${'0'.repeat(26)}`,
  reference: 'AP-7K3M-2Q',
  patientName: 'Maya Ellis',
  startsAt,
  endsAt,
  timeZone: 'Europe/London',
  placeId,
  placeName: 'Borough Practice',
  mode: 'in_person',
  desk: null,
  typeOfVisit: 'first_visit',
  typeName: null,
  typeId: null,
  followUpBasis: null,
  hasPurpose: true,
  marking: { outcome: null, arrivedAt: null, can: [] },
  phone: null,
})

test('a visit stands where the calendar’s clock shows it, on its day', () => {
  const week = layOut(
    plan(
      {
        date: '2026-03-30',
        stretches: [stretch('2026-03-30T08:00:00Z', '2026-03-30T16:00:00Z', 'free')],
      },
      { date: '2026-03-31', stretches: [] },
    ),
    { visits: [visit('2026-03-31T06:30:00Z', '2026-03-31T07:00:00Z')] },
  )
  expect(week.days.map(({ visits }) => visits.map(({ from, to }) => [from, to]))).toEqual([
    [],
    [[7 * 60 + 30, 8 * 60]],
  ])
  expect(week.days[0]).toMatchObject({ isToday: true, bands: [{ from: 540, to: 1_020 }] })
  expect(week.hours).toEqual({ from: 420, to: 1_020 })
})

test('a visit at a place in another zone stands beside what happens at the same time', () => {
  const date = '2026-03-31'
  const hours = stretch('2026-03-30T23:00:00Z', '2026-03-31T08:00:00Z', 'free')
  // Half past eight in the evening of the day before, in New York.
  const late = visit('2026-03-31T00:30:00Z', '2026-03-31T01:00:00Z')
  const visits = [{ ...late, timeZone: 'America/New_York' }]
  const { days } = layOut(plan({ date, stretches: [hours] }), { visits })
  expect(days[0]?.visits).toMatchObject([{ from: 90, to: 120 }])
})

test('an empty weekend is left out of a week, and stays where it is all that is asked for', () => {
  const saturday = { date: '2026-04-04', stretches: [] }
  const monday = { date: '2026-03-30', stretches: [] }
  expect(layOut(plan(monday, saturday), { visits: [] }).days).toHaveLength(1)
  expect(layOut(plan(saturday), { visits: [] }).days).toHaveLength(1)
  const busy = visit('2026-04-04T09:00:00Z', '2026-04-04T09:30:00Z')
  expect(layOut(plan(monday, saturday), { visits: [busy] }).days).toHaveLength(2)
})

test('a day whose hours are all closed says why; half a day does not', () => {
  const [from, noon, to] = ['2026-03-30T08:00:00Z', '2026-03-30T12:00:00Z', '2026-03-30T16:00:00Z']
  const away = stretch(from, to, 'absence', 'Away: Skiing')
  const closed = (...stretches: WeekPlan['days'][number]['stretches']) =>
    layOut(plan({ date: '2026-03-30', stretches }), { visits: [] }).days[0]?.closed
  expect(closed(away)).toBe('Away: Skiing')
  expect(closed(stretch(from, noon, 'absence'), stretch(noon, to, 'free'))).toBeNull()
  expect(closed(stretch(from, to, 'outside_hours'))).toBeNull()
})

test('the clock shows the hours, and reaches to what is booked outside them and no further', () => {
  const date = '2026-03-30'
  const hours = stretch('2026-03-30T08:00:00Z', '2026-03-30T16:00:00Z', 'free')
  const late = visit('2026-03-30T19:30:00Z', '2026-03-30T20:10:00Z')
  const clock = (stretches: (typeof hours)[], visits = [late]) =>
    layOut(plan({ date, stretches }), { visits }).hours
  expect(clock([hours], [])).toEqual({ from: 540, to: 1_020 })
  expect(clock([hours])).toEqual({ from: 540, to: 1_320 })
  expect(clock([], [])).toEqual({ from: 420, to: 1_140 })
  expect(clock([])).toEqual({ from: 420, to: 1_320 })
})

test('a block of the whole day, or until midnight, does not stretch the clock into the night', () => {
  const hours = stretch('2026-03-30T08:00:00Z', '2026-03-30T16:00:00Z', 'past')
  const blockedDay = stretch('2026-03-29T23:00:00Z', '2026-03-30T23:00:00Z', 'blocked')
  const evening = stretch('2026-03-30T17:30:00Z', '2026-03-30T23:00:00Z', 'blocked')
  const week = (block: typeof hours) => {
    const stretches = [hours, { ...block, placeId: null }]
    return layOut(plan({ date: '2026-03-30', stretches }), { visits: [] })
  }
  const whole = week(blockedDay)
  expect(whole.hours).toEqual({ from: 540, to: 1_020 })
  expect(clipBands(whole.days[0]?.bands ?? [], whole.hours)).toMatchObject([
    { from: 540, to: 1_020, reason: 'blocked' },
  ])
  expect(week(evening).hours).toEqual({ from: 540, to: 1_020 })
  expect(clipBands(week(evening).days[0]?.bands ?? [], whole.hours)).toEqual([])
})

test('midnight ends a day, and a clock in another zone shows its own time', () => {
  expect(clockMinutes('2026-03-30T23:00:00Z', 'Europe/London')).toBe(0)
  expect(clockMinutes('2026-03-30T13:30:00Z', 'America/New_York')).toBe(9 * 60 + 30)
  const late = stretch('2026-03-30T21:00:00Z', '2026-03-30T23:00:00Z', 'free')
  const { days, hours } = layOut(plan({ date: '2026-03-30', stretches: [late] }), { visits: [] })
  expect([days[0]?.bands[0]?.to, hours.to]).toEqual([1_440, 1_440])
})

test('free times that only a buffer parts are one stretch, of one place each', () => {
  const at = (from: string, to: string, reason: TimeReason, label = 'Free') => ({
    ...stretch(`2026-03-30T${from}:00Z`, `2026-03-30T${to}:00Z`, reason, label),
    from,
    to,
  })
  const day = [
    at('09:00', '09:30', 'free'),
    at('09:30', '09:40', 'buffer', 'Buffer'),
    at('09:40', '10:10', 'free'),
    at('10:10', '10:20', 'buffer', 'Buffer'),
    at('10:20', '10:50', 'booked', 'Booked'),
    at('10:50', '11:00', 'buffer', 'Buffer'),
    at('11:00', '11:30', 'free'),
    { ...at('11:30', '12:00', 'free'), placeId: `plc_${'1'.repeat(26)}` },
    at('12:00', '12:30', 'blocked', 'Blocked: School'),
    at('12:30', '13:00', 'free'),
  ]
  expect(mergedFreeTimes(day)).toEqual([
    '09:00 to 10:10',
    '11:00 to 11:30',
    '11:30 to 12:00',
    '12:30 to 13:00',
  ])
  const us = {
    ...stretch('2026-03-30T14:00:00Z', '2026-03-30T14:30:00Z', 'free'),
    from: '9:00 am',
    to: '9:30 am',
  }
  expect(mergedFreeTimes([us])).toEqual(['9:00 am to 9:30 am'])
  expect(mergedFreeTimes([])).toEqual([])
})
