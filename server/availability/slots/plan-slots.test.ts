import { expect, test } from 'vitest'
import { dateOfDay, dayNumber } from '#contract/base/time.ts'
import { isWithinHours, type Rules } from '#server/availability/hours/hours-rules.ts'
import { planDay, stretchesOf } from '#server/availability/hours/stretches-rules.ts'
import { type PlannedSlot, planSlots } from './plan-slots.ts'

// Every clock change from 2026 to 2030, compared with an implementation that calls Temporal for every time.
// To repeat a failed run: `SLOTS_SEED=… vitest run … plan-slots`.
const seed = Number(process.env['SLOTS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/** Random numbers from 0 to 1, exclusive (mulberry32). */
function dice(start: number): () => number {
  let state = start | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const ZONES = [
  'Europe/London',
  'America/New_York',
  'America/Phoenix',
  'America/Anchorage',
  'Pacific/Honolulu',
]

const FIRST = dayNumber('2026-01-01')
const LAST = dayNumber('2031-01-01')

function rulesFor(timeZone: string, overrides: Partial<Rules> = {}): Rules {
  return {
    places: [{ no: 1, timeZone, holidays: 'usa' }],
    minutes: 30,
    bufferMinutes: 0,
    noticeMinutes: 120,
    horizonDays: 60,
    closedOnHolidays: false,
    rotationWeeks: 1,
    rotationFrom: FIRST,
    hours: [],
    extras: [],
    absences: [],
    blocks: [],
    busy: [],
    ...overrides,
  }
}

/** Several ranges a day that do not overlap, many of them at night, when clocks change. */
function randomRules(timeZone: string, random: () => number): Rules {
  const pick = (from: readonly number[]) => from[Math.floor(random() * from.length)] ?? 0
  const weeks = pick([1, 1, 2, 3, 4])
  const hours = Array.from({ length: weeks * 7 }, (_, n) => {
    const isSunday = n % 7 === 6
    if (!isSunday && random() < 0.4) return []
    const ends = [
      0,
      1_440,
      75,
      120,
      150,
      240,
      ...[1, 2, 3].map(() => Math.floor(random() * 288) * 5),
    ]
    const edges = [...new Set(ends)].toSorted((a, b) => a - b).filter(() => random() < 0.7)
    const week = { placeNo: 1, week: Math.floor(n / 7) + 1, weekday: (n % 7) + 1 }
    return edges.flatMap((from, at) => {
      const to = edges[at + 1]
      return to === undefined || random() < 0.3 ? [] : [{ ...week, from, to }]
    })
  }).flat()
  const day = () => FIRST + Math.floor(random() * (LAST - FIRST))
  const absences = Array.from({ length: 12 }, (_, n) => {
    const from = day()
    return { id: `${n}`, placeNo: null, from, to: from + Math.floor(random() * 20), note: '' }
  })
  const extras = Array.from({ length: 40 }, (_, n) => {
    const from = Math.floor(random() * 200) * 5
    return { id: `${n}`, placeNo: 1, day: day(), from, to: from + 180 }
  })
  const blocks = Array.from({ length: random() < 0.3 ? 0 : 8 }, (_, n) => {
    const [at, from] = [day(), Math.floor(random() * 1_380)]
    const isWeekly = random() < 0.5
    return {
      id: `${n}`,
      day: at,
      isWeekly,
      until: isWeekly && random() < 0.7 ? at + Math.floor(random() * 300) : null,
      from,
      to: from + 1 + Math.floor(random() * Math.min(300, 1_439 - from)),
      note: '',
    }
  })
  return rulesFor(timeZone, {
    blocks,
    minutes: pick([10, 15, 20, 25, 30, 40, 45, 60, 90]),
    bufferMinutes: pick([0, 0, 5, 10, 15]),
    rotationWeeks: weeks,
    rotationFrom: FIRST + Math.floor(random() * 700),
    hours,
    absences,
    // Extra dates of one day must not overlap: saving refuses that.
    extras: extras.filter(({ day: one }, n) => !extras.slice(0, n).some((x) => x.day === one)),
  })
}

const plain = (day: number) => Temporal.PlainDate.from(dateOfDay(day))

function naiveRanges(rules: Rules, day: number): [number, number][] {
  if (rules.absences.some(({ from, to }) => from <= day && day <= to)) return []
  const date = plain(day)
  const monday = (one: Temporal.PlainDate) => one.subtract({ days: one.dayOfWeek - 1 })
  const { weeks } = monday(plain(rules.rotationFrom)).until(monday(date), { largestUnit: 'weeks' })
  let week = weeks % rules.rotationWeeks
  if (week < 0) week += rules.rotationWeeks
  const extra = rules.extras.find((one) => one.day === day)
  const ranges = rules.hours
    .filter((one) => one.weekday === date.dayOfWeek && one.week === week + 1)
    .flatMap(({ from, to }): [number, number][] => {
      if (extra === undefined || extra.to <= from || to <= extra.from) return [[from, to]]
      return [
        [from, extra.from],
        [extra.to, to],
      ]
    })
    .filter(([from, to]) => from < to)
  return extra === undefined ? ranges : [...ranges, [extra.from, extra.to]]
}

/** The instants with a local time, from Temporal's earlier and later disambiguation. */
function naiveInstants(timeZone: string, day: number, minutes: number): number[] {
  const wall = plain(day).toPlainDateTime().add({ minutes })
  const found = (['earlier', 'later'] as const)
    .map((disambiguation) => wall.toZonedDateTime(timeZone, { disambiguation }))
    .filter((there) => there.toPlainDateTime().equals(wall))
  return [...new Set(found.map((there) => there.epochMilliseconds))]
}

/** Blocked time of a day as instants, from Temporal. */
function naiveBlocked(rules: Rules, timeZone: string, day: number): [number, number][] {
  const on = rules.blocks.filter((block) => {
    const after = plain(block.day).until(plain(day), { largestUnit: 'days' }).days
    if (!block.isWeekly) return after === 0
    return after >= 0 && after % 7 === 0 && (block.until === null || day <= block.until)
  })
  return on.map(({ from, to }) => {
    const edge = (minutes: number, disambiguation: 'earlier' | 'later') => {
      const wall = plain(day).toPlainDateTime().add({ minutes })
      const there = wall.toZonedDateTime(timeZone, { disambiguation })
      // An end that clocks skip moves to the end of the gap.
      const isShown = there.toPlainDateTime().equals(wall)
      const shown = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
      const at = isShown ? there : shown.getTimeZoneTransition('next')
      return at?.epochMilliseconds ?? 0
    }
    return [edge(from, 'earlier'), edge(to, 'later')]
  })
}

function naiveDay(rules: Rules, timeZone: string, day: number): number[] {
  const starts: number[] = []
  const blocked = [-1, 0, 1].flatMap((days) => naiveBlocked(rules, timeZone, day + days))
  for (const [from, to] of naiveRanges(rules, day)) {
    const end = plain(day).toPlainDateTime().add({ minutes: to })
    const closes = end.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds
    for (let at = from; at + rules.minutes <= to; at += rules.minutes + rules.bufferMinutes) {
      for (const start of naiveInstants(timeZone, day, at)) {
        const over = start + rules.minutes * 60_000
        const isBlocked = blocked.some(([one, other]) => one < over && start < other)
        if (over <= closes && !isBlocked) starts.push(start)
      }
    }
  }
  return dropOverlapping(
    starts.toSorted((a, b) => a - b),
    rules,
  )
}

function dropOverlapping(starts: readonly number[], rules: Rules): number[] {
  const length = (rules.minutes + rules.bufferMinutes) * 60_000
  const accepted: number[] = []
  for (const start of starts)
    if (start >= (accepted.at(-1) ?? -Infinity) + length) accepted.push(start)
  return accepted
}

function naiveSlots(
  rules: Rules,
  timeZone: string,
  days: { from: number; until: number },
): number[] {
  const length = (rules.minutes + rules.bufferMinutes) * 60_000
  const all: number[] = []
  let before = naiveDay(rules, timeZone, days.from - 1).at(-1) ?? -Infinity
  for (let day = days.from; day < days.until; day += 1) {
    const ofDay = naiveDay(rules, timeZone, day)
    all.push(...ofDay.filter((start) => start >= before + length))
    before = ofDay.at(-1) ?? before
  }
  return all
}

const startsOf = (slots: readonly PlannedSlot[]) => slots.map(({ start }) => start)

test.each(ZONES)(
  'in %s slots match a Temporal implementation, from 2026 to 2030',
  (timeZone) => {
    const random = dice(seed + timeZone.length)
    process.stdout.write(`slots: SLOTS_SEED=${seed} ${timeZone}\n`)
    let compared = 0
    for (let round = 0; round < 24; round += 1) {
      const rules = randomRules(timeZone, random)
      // The whole range once, then parts around the weeks of clock changes.
      const march = dayNumber(`${2026 + (round % 5)}-03-05`)
      const october = dayNumber(`${2026 + (round % 5)}-10-20`)
      const spans =
        round === 0
          ? [{ from: FIRST, until: LAST }]
          : [march, october].map((from) => ({ from, until: from + 30 }))
      for (const span of spans) {
        const ours = startsOf(planSlots(rules, span))
        expect(ours, `SLOTS_SEED=${seed}`).toEqual(naiveSlots(rules, timeZone, span))
        compared += ours.length
      }
    }
    expect(compared).toBeGreaterThan(5_000)
  },
  120_000,
)

test.each(ZONES)('in %s days planned one by one equal days planned together', (timeZone) => {
  const random = dice(seed)
  for (let round = 0; round < 5; round += 1) {
    const rules = randomRules(timeZone, random)
    const days = Array.from({ length: LAST - FIRST }, (_, n) => FIRST + n)
    const single = days.flatMap((day) => planSlots(rules, { from: day, until: day + 1 }))
    expect(single, `SLOTS_SEED=${seed}`).toEqual(planSlots(rules, { from: FIRST, until: LAST }))
  }
})

const night = (minutes: number, to: number) => ({
  minutes,
  hours: [{ placeNo: 1, week: 1, weekday: 7, from: 0, to }],
})

function timesOn(rules: Rules, date: string): string[] {
  const day = dayNumber(date)
  return startsOf(planSlots(rules, { from: day, until: day + 1 })).map((start) =>
    new Date(start).toISOString().slice(11, 16),
  )
}

test('a skipped local time is not offered, a repeated one is offered twice', () => {
  const london = rulesFor('Europe/London', night(30, 180))
  expect(timesOn(london, '2026-03-22')).toEqual([
    '00:00',
    '00:30',
    '01:00',
    '01:30',
    '02:00',
    '02:30',
  ])
  // 01:00 and 01:30 do not exist; 02:00 British Summer Time is 01:00 UTC.
  expect(timesOn(london, '2026-03-29')).toEqual(['00:00', '00:30', '01:00', '01:30'])
  expect(timesOn(london, '2026-10-25')).toEqual([
    '23:00',
    '23:30',
    '00:00',
    '00:30',
    '01:00',
    '01:30',
    '02:00',
    '02:30',
  ])
  const phoenix = rulesFor('America/Phoenix', night(30, 180))
  expect(timesOn(phoenix, '2026-03-08')).toEqual(timesOn(phoenix, '2026-11-01'))
})

test('no slots overlap when clocks go back, and none ends after the hours', () => {
  // 01:30 occurs twice, an hour apart: a visit of ninety minutes fits only once.
  const long = rulesFor('Europe/London', night(90, 240))
  expect(timesOn(long, '2026-10-25')).toEqual(['23:00', '00:30'])
  // That night there is only half an hour between 00:30 and 02:00.
  const short = rulesFor('Europe/London', {
    minutes: 45,
    hours: [{ placeNo: 1, week: 1, weekday: 7, from: 30, to: 120 }],
  })
  expect(timesOn(short, '2026-03-29')).toEqual([])
})

test('the buffer separates visits, and extra hours override weekly ones', () => {
  const day = dayNumber('2026-03-02')
  const rules = rulesFor('Europe/London', {
    bufferMinutes: 10,
    hours: [{ placeNo: 1, week: 1, weekday: 1, from: 540, to: 720 }],
    extras: [{ id: 'x', placeNo: 1, day, from: 660, to: 780 }],
  })
  expect(timesOn(rules, '2026-03-02')).toEqual([
    '09:00',
    '09:40',
    '10:20',
    '11:00',
    '11:40',
    '12:20',
  ])
  expect(timesOn(rules, '2026-03-09')).toEqual(['09:00', '09:40', '10:20', '11:00'])
})

test('slots at two places never overlap', () => {
  const rules = rulesFor('America/New_York', {
    places: [
      { no: 1, timeZone: 'America/New_York', holidays: 'usa' },
      { no: 2, timeZone: 'America/Chicago', holidays: 'usa' },
    ],
    hours: [
      { placeNo: 1, week: 1, weekday: 1, from: 540, to: 720 },
      // 10:00 to 13:00 in New York.
      { placeNo: 2, week: 1, weekday: 1, from: 540, to: 720 },
    ],
  })
  const day = dayNumber('2026-06-01')
  const slots = planSlots(rules, { from: day, until: day + 1 })
  const starts = startsOf(slots)
  expect(new Set(starts).size).toBe(8)
  for (const [at, start] of starts.entries()) {
    if (at > 0) expect(start - (starts[at - 1] ?? 0)).toBeGreaterThanOrEqual(30 * 60_000)
  }
})

test('slots of a day that begins much earlier at another place lie between those of the day before', () => {
  const rules = rulesFor('Pacific/Honolulu', {
    places: [
      { no: 1, timeZone: 'Pacific/Honolulu', holidays: 'usa' },
      { no: 2, timeZone: 'Pacific/Guam', holidays: 'usa' },
    ],
    hours: [
      { placeNo: 1, week: 1, weekday: 1, from: 480, to: 540 },
      { placeNo: 1, week: 1, weekday: 1, from: 600, to: 660 },
      // 09:00 to 10:30 on Monday in Honolulu.
      { placeNo: 2, week: 1, weekday: 2, from: 300, to: 390 },
    ],
  })
  const day = dayNumber('2026-06-01')
  const slots = planSlots(rules, { from: day, until: day + 2 })
  const shown = slots.map(({ start, placeNo }) => [(start / 3_600_000 - 10) % 24, placeNo])
  const there = [9, 9.5].map((hour) => [hour, 2])
  expect(shown).toEqual([[8, 1], [8.5, 1], ...there, [10, 1], [10.5, 1]])
})

test('extra hours in another zone that begin in an hour which occurs twice override its first half too', () => {
  const day = dayNumber('2026-11-01')
  const rules = rulesFor('America/Phoenix', {
    places: [
      { no: 1, timeZone: 'America/Phoenix', holidays: 'usa' },
      { no: 2, timeZone: 'America/New_York', holidays: 'usa' },
    ],
    hours: [{ placeNo: 1, week: 1, weekday: 6, from: 1_320, to: 1_440 }],
    // Clocks in New York go back from 02:00 to 01:00: from 22:30 to 01:00 in Phoenix.
    extras: [{ id: 'x', placeNo: 2, day, from: 90, to: 180 }],
  })
  const slots = planSlots(rules, { from: day - 1, until: day + 1 })
  expect(
    slots.map(({ start, placeNo }) => [new Date(start).toISOString().slice(11, 16), placeNo]),
  ).toEqual([
    ['05:00', 1],
    ['05:30', 2],
    ['06:30', 2],
    ['07:00', 2],
    ['07:30', 2],
  ])
})

test('hours that begin at a time which clocks skip begin with the first slot after the gap', () => {
  const day = dayNumber('2026-03-29')
  const rules = rulesFor('Europe/London', {
    hours: [{ placeNo: 1, week: 1, weekday: 7, from: 90, to: 180 }],
  })
  // 01:30 does not exist: the first visit is at 02:00, an hour ahead of UTC.
  const starts = planSlots(rules, { from: day, until: day + 1 }).map(({ start }) => start)
  const [two, half, three] = ['01:00', '01:30', '02:00'].map((time) =>
    Date.parse(`2026-03-29T${time}Z`),
  )
  expect(starts).toEqual([two, half])
  for (const start of starts) {
    expect(isWithinHours(rules, { placeNo: 1, start, end: start + 1_800_000 })).toBe(true)
  }
  const now = Date.parse('2026-03-20T09:00:00Z')
  const plan = planDay(rules, { day, now, timeZone: 'Europe/London' }, { taken: [], busy: [] })
  expect(plan.hours.map(({ from, until }) => [from, until])).toEqual([[two, three]])
  const free = stretchesOf(plan).filter(({ reason }) => reason === 'free')
  expect(free.map(({ from, until }) => [from, until])).toEqual([[two, three]])
})
