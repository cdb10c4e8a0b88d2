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
    text: `${from} to ${to}: ${words}`,
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

test('a visit comes down on the free time nearby, as its link says it', () => {
  const landing = landOn(at('2026-03-03', '10:45'), around)
  expect(landing).toMatchObject({
    from: 640,
    choice: { date: '2026-03-03', time: '10:40' },
    why: '',
  })
  expect(landOn(at('2026-03-03', '09:12'), around)).toMatchObject({ from: 540, isOwn: false })
})

test('its own time is where it was', () => {
  expect(landOn(at('2026-03-03', '10:05'), around)).toMatchObject({ isOwn: true, choice: null })
})

test('a free time of another place takes nothing and says where it is', () => {
  const landing = landOn(at('2026-03-03', '11:25'), around)
  expect(landing).toMatchObject({ choice: null, why: 'Free at another place, North Clinic' })
  const there = { ...visit, placeName: 'North Clinic' }
  expect(landOn(at('2026-03-03', '11:25'), { ...around, visit: there }).choice).not.toBeNull()
})

test('what is not free says why in the words of the plan, at a quarter of an hour', () => {
  expect(landOn(at('2026-03-04', '10:20'), around)).toMatchObject({
    from: 615,
    choice: null,
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
    choice: { date: '2026-03-04', time: '10:15' },
    why: 'Blocked: School',
  })
  expect(landOn(at('2026-03-04', '09:28'), desk)).toMatchObject({
    choice: { time: '09:30' },
    why: '',
  })
  // Snaps to a free time nearby, but only at its place.
  expect(landOn(at('2026-03-03', '10:32'), desk).choice).toEqual({
    date: '2026-03-03',
    time: '10:40',
  })
  expect(landOn(at('2026-03-03', '11:20'), desk).choice?.time).toBe('11:15')
  expect(landOn(at('2026-03-03', '10:05'), desk)).toMatchObject({ isOwn: true, choice: null })
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
    choice: null,
    why: 'Booked: Maya Ellis',
  })
  expect(landOn(at('2026-03-04', '09:15'), full).why).toBe('Somebody is booking')
  expect(landOn(at('2026-03-02', '11:00'), full).why).toBe('This day is over')
  // Its previous time does not block it.
  expect(landOn(at('2026-03-03', '10:15'), full).choice?.time).toBe('10:15')
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
