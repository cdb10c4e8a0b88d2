import { expect, test } from 'vitest'
import { dueAt, dueStarts, type Hours, isUseful, remindAt } from './rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const DEFAULT_HOURS: Hours = { fromHour: 8, toHour: 20 }
const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds

function wall(instant: number, zone: string): string {
  const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  return there.toPlainDateTime().toString({ smallestUnit: 'minute' })
}

test('due at the same local time a day and a week before, within the hours', () => {
  const day = (text: string) =>
    wall(remindAt(at(text), 'Europe/London', { days: 1, hours: DEFAULT_HOURS }), 'Europe/London')
  expect(day('2026-03-12T14:30:00Z')).toBe('2026-03-11T14:30')
  expect(day('2026-03-12T07:00:00Z')).toBe('2026-03-11T08:00')
  expect(day('2026-03-12T21:15:00Z')).toBe('2026-03-11T20:00')
  expect(day('2026-03-12T20:00:00Z')).toBe('2026-03-11T20:00')
  const week = remindAt(at('2026-04-01T09:00:00Z'), 'Europe/London', {
    days: 7,
    hours: DEFAULT_HOURS,
  })
  // 10:00 on both days, although clocks went forward in between.
  expect(week).toBe(at('2026-03-25T10:00:00Z'))
})

const ZONES = [
  'Europe/London',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Anchorage',
  'Pacific/Honolulu',
] as const

/** All clock changes in a zone from 2026 to 2030. */
function changesOf(zone: string): number[] {
  const found: number[] = []
  let from = Temporal.Instant.from('2026-01-01T00:00:00Z').toZonedDateTimeISO(zone)
  for (;;) {
    const next = from.getTimeZoneTransition('next')
    if (next === null || next.epochMilliseconds >= at('2031-01-01T00:00:00Z')) return found
    found.push(next.epochMilliseconds)
    from = next
  }
}

test.each(ZONES)('holds around every clock change in %s until 2030', (zone) => {
  const changes = changesOf(zone)
  const isFixed = zone === 'America/Phoenix' || zone === 'Pacific/Honolulu'
  expect(changes).toHaveLength(isFixed ? 0 : 10)
  for (const change of changes) {
    for (let start = change - 2 * DAY; start <= change + 9 * DAY; start += HOUR / 2) {
      for (const days of [1, 7]) {
        const due = remindAt(start, zone, { days, hours: DEFAULT_HOURS })
        const visit = Temporal.PlainDateTime.from(wall(start, zone))
        const local = Temporal.PlainDateTime.from(wall(due, zone))
        expect(local.toPlainDate().until(visit.toPlainDate()).days).toBe(days)
        const minutes = local.hour * 60 + local.minute
        const meant = Math.min(Math.max(visit.hour * 60 + visit.minute, 8 * 60), 20 * 60)
        expect(minutes).toBe(meant)
        expect(due).toBeLessThan(start)
      }
    }
  }
})

test('a skipped local time is an hour later, a repeated one the first', () => {
  const early: Hours = { fromHour: 0, toHour: 20 }
  const day = (text: string) => remindAt(at(text), 'Europe/London', { days: 1, hours: early })
  // Clocks skip 01:30 on 29 March 2026.
  expect(wall(day('2026-03-30T00:30:00Z'), 'Europe/London')).toBe('2026-03-29T02:30')
  // On 25 October 2026 it occurs twice.
  expect(day('2026-10-26T01:30:00Z')).toBe(at('2026-10-25T00:30:00Z'))
})

const visit = {
  startAt: at('2026-03-12T14:30:00Z'),
  timeZone: 'Europe/London',
  hours: DEFAULT_HOURS,
}

test('a visit booked or moved less than a day before has no reminder', () => {
  const due = at('2026-03-11T14:30:00Z')
  expect(dueAt('day', { ...visit, agreedAt: due - DAY })).toBe(due)
  expect(dueAt('day', { ...visit, agreedAt: due - DAY + 1 })).toBeNull()
  expect(dueAt('week', { ...visit, agreedAt: due - DAY })).toBeNull()
})

test('a reminder is useful until two hours before, the week’s one for a day', () => {
  const day = { kind: 'day' as const, startAt: visit.startAt, dueAt: at('2026-03-11T14:30:00Z') }
  expect(isUseful(day, visit.startAt - 2 * HOUR)).toBe(true)
  expect(isUseful(day, visit.startAt - 2 * HOUR + 1)).toBe(false)
  const week = { kind: 'week' as const, startAt: visit.startAt, dueAt: at('2026-03-05T14:30:00Z') }
  expect(isUseful(week, week.dueAt + DAY)).toBe(true)
  expect(isUseful(week, week.dueAt + DAY + 1)).toBe(false)
})

test('every visit with a reminder due is within the queried starts', () => {
  const hours: Hours[] = [
    { fromHour: 5, toHour: 15 },
    { fromHour: 12, toHour: 22 },
  ]
  for (const zone of ZONES) {
    for (const change of [...changesOf(zone), at('2026-07-01T00:00:00Z')]) {
      for (let start = change - DAY; start <= change + 9 * DAY; start += HOUR) {
        for (const [kind, days] of [
          ['day', 1],
          ['week', 7],
        ] as const) {
          for (const chosen of hours) {
            const due = remindAt(start, zone, { days, hours: chosen })
            const last = kind === 'week' ? due + DAY : start - 2 * HOUR
            for (const now of [due, last]) {
              const { from, to } = dueStarts(kind, now)
              expect(start >= from && start <= to).toBe(true)
            }
          }
        }
      }
    }
  }
})
