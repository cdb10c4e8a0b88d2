import { expect, test } from 'vitest'
import { busyTimesIn } from './busy-times.ts'

const view = {
  from: Date.parse('2026-10-01T00:00:00Z'),
  until: Date.parse('2026-12-01T00:00:00Z'),
  timeZone: 'Europe/London',
  skipsAllDay: false,
}

function entry(...lines: string[]) {
  return ['BEGIN:VEVENT', 'UID:night', ...lines, 'END:VEVENT']
}

function busyIn(...entries: string[][]) {
  const text = ['BEGIN:VCALENDAR', ...entries.flat(), 'END:VCALENDAR'].join('\r\n')
  const { spans, unreadable } = busyTimesIn(text, view)
  expect(unreadable).toBe(0)
  return spans.map(({ start, end }) =>
    [start, end].map((at) => new Date(at).toISOString().slice(5, 16)).join('/'),
  )
}

const LONDON = 'TZID=Europe/London'

// Clocks in London go back from 02:00 to 01:00 on 25 October 2026.
test.each<[what: string, lines: string[], busy: string]>([
  ['over the change', ['0130', '0115'], '10-25T00:30/10-25T01:15'],
  ['for an hour', ['0130', '0130'], '10-25T00:30/10-25T01:30'],
  ['within the first hour', ['0130', '0145'], '10-25T00:30/10-25T00:45'],
  ['into the first hour', ['0030', '0130'], '10-24T23:30/10-25T00:30'],
  ['out of it', ['0130', '0215'], '10-25T00:30/10-25T02:15'],
])('an entry %s in the hour that occurs twice', (_, [from, to], busy) => {
  const [start, end] = [from, to].map((time) => `20261025T${time}00`)
  const zoned = entry(`DTSTART;${LONDON}:${start}`, `DTEND;${LONDON}:${end}`)
  expect(busyIn(zoned)).toEqual([busy])
  expect(busyIn(entry(`DTSTART:${start}`, `DTEND:${end}`))).toEqual([busy])
})

test('an entry that starts in the second hour, in UTC, ends there', () => {
  const lines = ['DTSTART:20261025T011500Z', `DTEND;${LONDON}:20261025T014500`]
  expect(busyIn(entry(...lines))).toEqual(['10-25T01:15/10-25T01:45'])
})

test('a duration counts from the first hour', () => {
  const lines = [`DTSTART;${LONDON}:20261025T013000`, 'DURATION:PT45M']
  expect(busyIn(entry(...lines))).toEqual(['10-25T00:30/10-25T01:15'])
})

const NIGHTS = [
  `DTSTART;${LONDON}:20261018T013000`,
  `DTEND;${LONDON}:20261018T020000`,
  'RRULE:FREQ=WEEKLY;COUNT=3',
]
const [BEFORE, AFTER] = ['10-18T00:30/10-18T01:00', '11-01T01:30/11-01T02:00']

test('an occurrence of a series there can be moved or left out', () => {
  expect(busyIn(entry(...NIGHTS))).toEqual([BEFORE, '10-25T00:30/10-25T01:00', AFTER])
  const excluded = entry(...NIGHTS, `EXDATE;${LONDON}:20261025T013000`)
  expect(busyIn(excluded)).toEqual([BEFORE, AFTER])
  const moved = entry(
    `RECURRENCE-ID;${LONDON}:20261025T013000`,
    `DTSTART;${LONDON}:20261026T090000`,
    `DTEND;${LONDON}:20261026T093000`,
  )
  expect(busyIn(entry(...NIGHTS), moved)).toEqual([BEFORE, '10-26T09:00/10-26T09:30', AFTER])
})

test('a busy period in local time may end in the second hour, at an earlier time than it starts', () => {
  const periods = ['BEGIN:VFREEBUSY', 'FREEBUSY:20261025T013000/20261025T011500', 'END:VFREEBUSY']
  expect(busyIn(periods)).toEqual(['10-25T00:30/10-25T01:15'])
})

test('clocks that skip an hour repeat none', () => {
  const spring = { ...view, from: Date.parse('2026-03-01T00:00:00Z') }
  const lines = [`DTSTART;${LONDON}:20260329T003000`, `DTEND;${LONDON}:20260329T021500`]
  const text = ['BEGIN:VCALENDAR', ...entry(...lines), 'END:VCALENDAR'].join('\r\n')
  expect(busyTimesIn(text, spring).spans).toEqual([
    { start: Date.parse('2026-03-29T00:30:00Z'), end: Date.parse('2026-03-29T01:15:00Z') },
  ])
})
