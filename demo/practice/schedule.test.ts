import { describe, expect, test } from 'vitest'
import { clocks, dayIn, isFree, scheduleOf, slotsOn } from './schedule.ts'

const noonOf = (date: string) => Date.parse(`${date}T12:00:00Z`)
const dayOf = (date: string) => dayIn('UTC', noonOf(date))

function scheduleNo(no: number, minutes = 30) {
  return scheduleOf({ id: `prv_${no}`, email: `somebody.${no}@demo.example`, minutes })
}

const many = Array.from({ length: 400 }, (_, no) => scheduleNo(no))

describe('local time', () => {
  test('gives the same local time different instants before and after a clock change', () => {
    const clock = clocks()
    const nine = (date: string) => clock('Europe/London', dayOf(date))(9 * 60)
    expect(nine('2026-03-28')).toBe(Date.parse('2026-03-28T09:00:00Z'))
    expect(nine('2026-03-29')).toBe(Date.parse('2026-03-29T08:00:00Z'))
    expect(nine('2026-10-25')).toBe(Date.parse('2026-10-25T09:00:00Z'))
  })

  test('refuses a time that the spring change skips', () => {
    const clock = clocks()
    expect(clock('Europe/London', dayOf('2026-03-29'))(90)).toBeNull()
    expect(clock('America/Chicago', dayOf('2026-03-08'))(150)).toBeNull()
    expect(clock('America/Phoenix', dayOf('2026-03-08'))(150)).toBe(
      Date.parse('2026-03-08T09:30:00Z'),
    )
  })

  test('knows the date at the clinic', () => {
    const lateEvening = Date.parse('2026-03-02T04:00:00Z')
    expect(dayIn('America/New_York', lateEvening)).toBe(dayOf('2026-03-01'))
    expect(dayIn('Europe/London', lateEvening)).toBe(dayOf('2026-03-02'))
  })
})

describe('the slots of a day', () => {
  test('depend on provider and date alone', () => {
    const day = dayOf('2026-03-03')
    const clock = clocks()('Europe/London', day)
    for (const no of [1, 2, 3]) {
      expect(slotsOn(scheduleNo(no), day, clock)).toEqual(slotsOn(scheduleNo(no), day, clock))
    }
  })

  test('lie between 08:00 and 19:30, do not overlap, and never fall on a Sunday', () => {
    const clock = clocks()
    for (let day = dayOf('2026-03-02'); day < dayOf('2026-03-16'); day += 1) {
      const midnight = day * 86_400_000
      for (const schedule of many) {
        const starts = slotsOn(schedule, day, clock('Europe/London', day)).map((s) => s.startAt)
        if ((day + 4) % 7 === 0) expect(starts).toEqual([])
        for (const [at, start] of starts.entries()) {
          expect(start).toBeGreaterThanOrEqual(midnight + 8 * 3_600_000)
          expect(start + 30 * 60_000).toBeLessThanOrEqual(midnight + 19.5 * 3_600_000)
          expect(start - (starts[at - 1] ?? 0)).toBeGreaterThanOrEqual(30 * 60_000)
        }
      }
    }
  })

  test('stay booked as the day approaches', () => {
    const day = dayOf('2026-03-12')
    const clock = clocks()('Europe/London', day)
    const turnedFree = many.flatMap((schedule) =>
      slotsOn(schedule, day, clock).filter((slot) => {
        const free = Array.from({ length: 15 }, (_, ahead) => isFree(schedule, slot, 14 - ahead))
        return free.lastIndexOf(true) > free.indexOf(false) && free.includes(false)
      }),
    )
    expect(turnedFree).toEqual([])
  })
})

test('some are fully booked, some have none, some are free only after ten days', () => {
  const clock = clocks()
  const today = dayOf('2026-03-02')
  const kinds = { soon: 0, afterTenDays: 0, bookedOut: 0, nothing: 0 }
  for (const schedule of many) {
    const perDay = Array.from({ length: 15 }, (_, ahead) =>
      slotsOn(schedule, today + ahead, clock('Europe/London', today + ahead)).map((slot) =>
        isFree(schedule, slot, ahead),
      ),
    )
    const firstFree = perDay.findIndex((day) => day.includes(true))
    if (perDay.flat().length === 0) kinds.nothing += 1
    else if (firstFree < 0) kinds.bookedOut += 1
    else if (firstFree >= 10) kinds.afterTenDays += 1
    else kinds.soon += 1
  }
  expect(kinds.soon).toBeGreaterThan(300)
  expect(kinds.bookedOut).toBeGreaterThan(8)
  expect(kinds.nothing).toBeGreaterThan(4)
  expect(kinds.afterTenDays).toBeGreaterThan(12)
})

test('the accounts people try always have a free slot in the next three days', () => {
  const clock = clocks()
  for (const email of ['provider@demo.example', 'provider-us@demo.example']) {
    const schedule = scheduleOf({ id: `prv_${email}`, email, minutes: 20 })
    for (let today = dayOf('2026-03-02'); today < dayOf('2026-03-30'); today += 1) {
      const free = [0, 1, 2, 3].flatMap((ahead) =>
        slotsOn(schedule, today + ahead, clock('Europe/London', today + ahead)).filter((slot) =>
          isFree(schedule, slot, ahead),
        ),
      )
      expect(free.length).toBeGreaterThan(1)
    }
  }
})
