import { expect, test } from 'vitest'
import { minutesOf } from '#app/lib/dates/slot-choice.ts'
import type { FreeTimes, TimeReason } from '#contract/availability.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { isMovable, landOn, moveByKey } from './drag-rules.ts'
import type { CalendarDay } from './layout.ts'

const placeId = `plc_${'0'.repeat(26)}`
const zone = 'Europe/London'

const visit: WeekVisit = {
  id: `apt_${'0'.repeat(26)}`,
  reference: 'AP-7K3M-2Q',
  patientName: 'Maya Ellis',
  startsAt: '2026-03-03T10:00:00Z',
  endsAt: '2026-03-03T10:30:00Z',
  timeZone: zone,
  placeId,
  typeId: null,
  placeName: 'Borough Practice',
  mode: 'in_person',
  desk: null,
  typeOfVisit: 'first_visit',
  typeName: null,
  followUpBasis: null,
  hasPurpose: true,
  marking: { outcome: null, arrivedAt: null, can: [] },
  phone: null,
}

function dayOf(date: string, ...parts: [string, string, TimeReason, string][]): CalendarDay {
  const stretches = parts.map(([from, to, reason, words]) => ({
    startsAt: `${date}T${from}:00Z`,
    endsAt: `${date}T${to}:00Z`,
    reason,
    placeId,
    from,
    to,
    label: words,
    text: '',
  }))
  return { date, isToday: false, isOver: false, closed: null, bands: [], stretches, visits: [] }
}

const days = [
  dayOf('2026-03-03', ['09:00', '12:00', 'free', 'Free']),
  dayOf(
    '2026-03-04',
    ['09:00', '10:00', 'free', 'Free'],
    ['10:00', '12:00', 'blocked', 'Blocked: School'],
  ),
]
/** A free time every 40 minutes; one of them at another place. */
const free: FreeTimes = {
  timeZone: zone,
  consultationMinutes: 30,
  from: '2026-03-03',
  to: '2026-03-09',
  nextFree: null,
  nextDay: null,
  days: [
    {
      date: '2026-03-03',
      slots: [
        { startsAt: '2026-03-03T09:00:00Z' },
        { startsAt: '2026-03-03T10:40:00Z' },
        { startsAt: '2026-03-03T11:20:00Z', place: 'North Clinic' },
      ],
    },
  ],
}
const around = { visit, days, hours: { from: 540, to: 1_020 }, timeZone: zone, free }
const at = (date: string, time: string) => ({ date, from: minutesOf(time) })

test('a visit comes down on the free time nearby', () => {
  const landing = landOn(at('2026-03-03', '10:45'), around)
  expect(landing).toMatchObject({ from: 640, startsAt: '2026-03-03T10:40:00Z', why: '' })
  expect(landOn(at('2026-03-03', '09:12'), around)).toMatchObject({ from: 540, isOwn: false })
})

test('its own time is where it was', () => {
  expect(landOn(at('2026-03-03', '10:05'), around)).toMatchObject({ isOwn: true, startsAt: null })
})

test('a free time of another place takes nothing and says where it is', () => {
  const landing = landOn(at('2026-03-03', '11:25'), around)
  expect(landing).toMatchObject({ startsAt: null, why: 'Free at another place, North Clinic' })
  const there = { ...visit, placeName: 'North Clinic' }
  expect(landOn(at('2026-03-03', '11:25'), { ...around, visit: there }).startsAt).not.toBeNull()
})

test('what is not free says why in the words of the plan, at a quarter of an hour', () => {
  expect(landOn(at('2026-03-04', '10:20'), around)).toMatchObject({
    from: 615,
    startsAt: null,
    why: 'Blocked: School',
  })
  expect(landOn(at('2026-03-04', '09:02'), around).why).toBe('No visit begins at this time')
  expect(landOn(at('2026-03-04', '05:00'), around).from).toBe(540)
  const asked = { ...around, free: undefined }
  expect(landOn(at('2026-03-04', '10:20'), asked).why).toBe('Looking for free times…')
})

test('arrows go by its own length and by day, and stay in what is shown', () => {
  const here = at('2026-03-03', '10:00')
  expect(moveByKey('ArrowDown', here, around)).toEqual(at('2026-03-03', '10:30'))
  expect(moveByKey('ArrowUp', at('2026-03-03', '09:10'), around)).toEqual(at('2026-03-03', '09:00'))
  expect(moveByKey('ArrowRight', here, around)).toEqual(at('2026-03-04', '10:00'))
  expect(moveByKey('ArrowLeft', here, around)).toEqual(here)
  expect(moveByKey('a', here, around)).toBeNull()
})

/** A desk booking of twenty minutes, which only other visits can block. */
const walkIn: WeekVisit = {
  ...visit,
  id: `dsk_${'0'.repeat(26)}`,
  desk: 'walk_in',
  endsAt: '2026-03-03T10:20:00Z',
  typeOfVisit: null,
}

test('a visit of the desk takes any time nobody has, offered or not, and says why it is not', () => {
  const desk = { ...around, visit: walkIn }
  expect(landOn(at('2026-03-04', '10:20'), desk)).toMatchObject({
    from: 615,
    startsAt: '2026-03-04T10:15:00.000Z',
    why: 'Blocked: School',
  })
  expect(landOn(at('2026-03-04', '09:28'), desk)).toMatchObject({
    startsAt: '2026-03-04T09:30:00.000Z',
    why: '',
  })
  // Snaps to a free time nearby, but only at its place.
  expect(landOn(at('2026-03-03', '10:32'), desk).startsAt).toBe('2026-03-03T10:40:00Z')
  expect(landOn(at('2026-03-03', '11:20'), desk).startsAt).toBe('2026-03-03T11:15:00.000Z')
  expect(landOn(at('2026-03-03', '10:05'), desk)).toMatchObject({ isOwn: true, startsAt: null })
  expect(moveByKey('ArrowDown', at('2026-03-03', '10:00'), desk)?.from).toBe(620)
  const short = { ...desk, visit: { ...walkIn, endsAt: '2026-03-03T10:05:00Z' } }
  expect(moveByKey('ArrowDown', at('2026-03-03', '10:00'), short)?.from).toBe(615)
})

test('a visit of the desk does not go onto another, a hold or a day that is over', () => {
  const [tuesday, wednesday] = days
  if (tuesday === undefined || wednesday === undefined) throw new Error('There are no days.')
  const other = { visit, from: minutesOf('09:00'), to: minutesOf('09:30') }
  const held = dayOf('2026-03-04', ['09:00', '09:30', 'held', 'Somebody is booking'])
  const own = { visit: walkIn, from: minutesOf('10:00'), to: minutesOf('10:20') }
  const full = {
    ...around,
    visit: walkIn,
    days: [
      { ...tuesday, visits: [other, own] },
      held,
      { ...wednesday, date: '2026-03-02', isOver: true },
    ],
  }
  expect(landOn(at('2026-03-03', '09:15'), full)).toMatchObject({
    startsAt: null,
    why: 'Booked: Maya Ellis',
  })
  expect(landOn(at('2026-03-04', '09:15'), full).why).toBe('Somebody is booking')
  expect(landOn(at('2026-03-02', '11:00'), full).why).toBe('This day is over')
  // Its previous time does not block it.
  expect(landOn(at('2026-03-03', '10:15'), full).startsAt).toBe('2026-03-03T10:15:00.000Z')
})

test('a visit of the desk can be moved until its day is over', () => {
  expect(isMovable(walkIn, '2026-03-03T23:50:00Z')).toBe(true)
  expect(isMovable(walkIn, '2026-03-04T00:00:00Z')).toBe(false)
  const chicago = { ...walkIn, timeZone: 'America/Chicago' }
  expect(isMovable(chicago, '2026-03-04T05:50:00Z')).toBe(true)
  expect(
    isMovable(
      { ...walkIn, marking: { ...walkIn.marking, outcome: 'completed' } },
      '2026-03-03T09:00:00Z',
    ),
  ).toBe(false)
})

test('what has begun, or has an outcome, stays where it is', () => {
  expect(isMovable(visit, '2026-03-03T09:59:00Z')).toBe(true)
  expect(isMovable(visit, '2026-03-03T10:00:00Z')).toBe(false)
  const marked: WeekVisit = { ...visit, marking: { outcome: 'no_show', arrivedAt: null, can: [] } }
  expect(isMovable(marked, '2026-03-03T09:00:00Z')).toBe(false)
})

test('a place in another zone: everything is in the calendar’s, and lands on the instant pointed at', () => {
  const zones = { timeZone: 'America/New_York', hours: { from: 420, to: 1_140 } }
  // 9:00 am in Chicago is 10:00 am in New York.
  const chicago: WeekVisit = {
    ...walkIn,
    timeZone: 'America/Chicago',
    startsAt: '2026-03-03T15:00:00Z',
    endsAt: '2026-03-03T15:20:00Z',
  }
  const times: FreeTimes = {
    ...free,
    timeZone: zones.timeZone,
    days: [{ date: '2026-03-03', slots: [{ startsAt: '2026-03-03T17:10:00Z' }] }],
  }
  const open = { ...around, ...zones, free: times, days: [dayOf('2026-03-03')] }
  const desk = { ...open, visit: chicago }
  expect(landOn(at('2026-03-03', '10:03'), desk)).toMatchObject({ from: 600, isOwn: true })
  expect(landOn(at('2026-03-03', '12:12'), desk)).toMatchObject({
    from: 730,
    startsAt: '2026-03-03T17:10:00Z',
  })
  expect(landOn(at('2026-03-03', '09:00'), desk)).toMatchObject({
    from: 540,
    startsAt: '2026-03-03T14:00:00.000Z',
  })
  const booked = { ...visit, timeZone: 'America/Chicago', startsAt: chicago.startsAt }
  const move = { ...open, visit: { ...booked, endsAt: '2026-03-03T15:30:00Z' } }
  expect(landOn(at('2026-03-03', '10:05'), move)).toMatchObject({ from: 600, isOwn: true })
  expect(landOn(at('2026-03-03', '12:12'), move).startsAt).toBe('2026-03-03T17:10:00Z')
})

test('a visit of the desk cannot go to a time that clocks skip', () => {
  const spring = {
    ...around,
    free: undefined,
    visit: walkIn,
    days: [dayOf('2026-03-29')],
    hours: { from: 0, to: 600 },
  }
  expect(landOn(at('2026-03-29', '01:30'), spring)).toMatchObject({
    startsAt: null,
    why: 'This time does not exist on that day (clocks change).',
  })
})
