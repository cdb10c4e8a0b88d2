import { expect, test } from 'vitest'
import {
  addRange,
  copyDay,
  copyWeek,
  countChanges,
  type Draft,
  draftOf,
  nextFree,
  problemsOf,
  rangesOn,
  removeRange,
  setTime,
  setWeeks,
  toggleDay,
  toInput,
  withDefaultWeek,
} from './draft.ts'

const BOROUGH = 'plc_borough'
const CANAL = 'plc_canal'
const MONDAY = { placeId: BOROUGH, week: 1, weekday: 1 }
const TUESDAY = { ...MONDAY, weekday: 2 }

const place = (id: string, name: string, timeZone = 'Europe/London') => ({
  id,
  name,
  locality: 'London',
  postcode: 'SE1 6ET',
  timeZone,
  holidays: 'england_wales' as const,
})
const known = {
  places: [place(BOROUGH, 'Borough Practice'), place(CANAL, 'Canal Clinic')],
  consultationMinutes: 20,
  hour12: false,
}

type Hours = [weekday: number, from: number, to: number]

/** Hours of week 1 at the first place. */
function draftWith(...hours: Hours[]): Draft {
  return draftOf({
    settings: {
      noticeMinutes: 120,
      horizonDays: 60,
      bufferMinutes: 0,
      closedOnHolidays: false,
      rotation: { weeks: 1, from: '2026-03-02' },
    },
    hours: hours.map(([weekday, from, to]) => ({ ...MONDAY, weekday, from, to })),
  })
}

const timesOn = (draft: Draft, day = MONDAY) =>
  rangesOn(draft, day).map(({ from, to }) => [from, to])

test('a day switched off and on again has its hours back, a new one has nine to five', () => {
  const draft = draftWith([1, 480, 600], [1, 660, 720])
  const off = toggleDay(draft, MONDAY)
  expect(timesOn(off)).toEqual([])
  expect(timesOn(toggleDay(off, MONDAY))).toEqual([
    [480, 600],
    [660, 720],
  ])
  expect(timesOn(toggleDay(draft, TUESDAY), TUESDAY)).toEqual([[540, 1_020]])
})

test('only the last hours of a day come back, not those of two times before', () => {
  const once = toggleDay(draftWith([1, 480, 600]), MONDAY)
  const again = toggleDay(once, MONDAY)
  const changed = setTime(again, rangesOn(again, MONDAY)[0]?.id ?? -1, { to: 660 })
  expect(timesOn(toggleDay(toggleDay(changed, MONDAY), MONDAY))).toEqual([[480, 660]])
})

test('a start moved past its end pushes the end on by one step; an end pushes nothing', () => {
  const draft = draftWith([1, 540, 600])
  expect(timesOn(setTime(draft, 0, { from: 600 }))).toEqual([[600, 615]])
  expect(timesOn(setTime(draft, 0, { from: 1_425 }))).toEqual([[1_425, 1_440]])
  expect(timesOn(setTime(draft, 0, { from: 570 }))).toEqual([[570, 600]])
  expect(timesOn(setTime(draft, 0, { to: 480 }))).toEqual([[540, 480]])
  expect(timesOn(setTime(draft, 0, { from: 'soon' }))).toEqual([['soon', 600]])
})

test.each<{ hours: Hours[]; free: [number, number] | null }>([
  { hours: [[1, 540, 720]], free: [780, 840] },
  { hours: [[1, 540, 1_350]], free: [1_350, 1_410] },
  { hours: [[1, 540, 1_440]], free: [420, 480] },
  { hours: [[1, 420, 1_440]], free: [0, 60] },
  { hours: [[1, 30, 1_440]], free: null },
  { hours: [[1, 540, 607]], free: [675, 735] },
])('after $hours the next free hours are $free', ({ hours, free }) => {
  const found = nextFree(draftWith(...hours), MONDAY, known)
  expect(found && [found.from, found.to]).toEqual(free)
})

test('the next free hours keep clear of another place at the same clock', () => {
  const draft = draftWith([1, 540, 720])
  const busy = {
    ...draft,
    ranges: [...draft.ranges, { ...MONDAY, placeId: CANAL, id: 9, from: 780, to: 1_380 }],
  }
  expect(nextFree(busy, MONDAY, known)).toEqual({ from: 720, to: 780 })
  const places = [place(BOROUGH, 'Borough'), place(CANAL, 'Canal', 'America/New_York')]
  const apart = { ...known, places }
  expect(nextFree(busy, MONDAY, apart)).toEqual({ from: 780, to: 840 })
})

test('hours are added and taken away; on a full day nothing is added', () => {
  const draft = addRange(draftWith([1, 540, 720]), MONDAY, known)
  expect(timesOn(draft)).toEqual([
    [540, 720],
    [780, 840],
  ])
  expect(timesOn(removeRange(draft, 0))).toEqual([[780, 840]])
  const full = draftWith([1, 0, 1_440])
  expect(addRange(full, MONDAY, known)).toBe(full)
})

test('copying a day gives other days its hours in place of theirs, and leaves itself alone', () => {
  const draft = copyDay(draftWith([1, 540, 720], [2, 600, 660], [3, 0, 60]), MONDAY, [1, 2, 5])
  expect(timesOn(draft)).toEqual([[540, 720]])
  expect(timesOn(draft, TUESDAY)).toEqual([[540, 720]])
  expect(timesOn(draft, { ...MONDAY, weekday: 5 })).toEqual([[540, 720]])
  expect(timesOn(draft, { ...MONDAY, weekday: 3 })).toEqual([[0, 60]])
  const ids = draft.ranges.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a new week of the rotation begins as the first, and comes back as it was left', () => {
  const two = setWeeks(draftWith([1, 540, 720]), 2)
  const week2 = { ...MONDAY, week: 2 }
  expect(timesOn(two, week2)).toEqual([[540, 720]])
  const changed = toggleDay(toggleDay(copyWeek(two, 2, null), { ...week2, weekday: 4 }), MONDAY)
  const back = setWeeks(setWeeks(changed, 1), 2)
  expect(timesOn(back, { ...week2, weekday: 4 })).toEqual([[540, 1_020]])
  expect(toInput(setWeeks(changed, 1)).hours).toEqual([])
})

test('a week that is closed stays so when a week is added', () => {
  const closed = copyWeek(setWeeks(draftWith([1, 540, 720]), 2), 2, null)
  const three = setWeeks(closed, 3)
  expect(timesOn(three, { ...MONDAY, week: 2 })).toEqual([])
  expect(timesOn(three, { ...MONDAY, week: 3 })).toEqual([[540, 720]])
  expect(countChanges(closed, three)).toBe(1)
})

test('what is wrong is said with the hours it is about', () => {
  const draft = setTime(draftWith([1, 540, 720], [1, 700, 800], [2, 600, 540], [3, 60, 70]), 0, {
    from: 540,
  })
  expect([...problemsOf(draft, known)]).toEqual([
    [0, { field: 'from', message: 'These hours overlap 11:40 to 13:20.' }],
    [1, { field: 'from', message: 'These hours overlap 09:00 to 12:00.' }],
    [2, { field: 'to', message: 'The end must be after the start.' }],
    [3, { field: 'to', message: 'These hours are too short for a visit of 20 minutes.' }],
  ])
})

test('hours at two places at once overlap, and what is no time asks for one', () => {
  const draft = draftWith([1, 540, 720])
  const both = {
    ...draft,
    ranges: [
      { ...MONDAY, id: 0, from: 540, to: 720 },
      { ...MONDAY, placeId: CANAL, id: 1, from: 600, to: 660 },
      { ...TUESDAY, id: 2, from: 'soon', to: 700 },
    ],
  }
  const problems = problemsOf(both, known)
  expect(problems.get(0)?.message).toBe('These hours overlap 10:00 to 11:00 at Canal Clinic.')
  expect(problems.get(2)).toEqual({ field: 'from', message: 'Enter a time, such as 9:30.' })
})

test('touching hours and hours of weeks the rotation does not have are no mistake', () => {
  const draft = draftWith([1, 540, 720], [1, 720, 800])
  const older = { ...MONDAY, id: 7, week: 2, from: 60, to: 30 }
  expect(problemsOf({ ...draft, ranges: [...draft.ranges, older] }, known).size).toBe(0)
})

test('changes are counted by day and by setting, and undoing them counts none', () => {
  const before = draftWith([1, 540, 720], [2, 540, 720])
  const one = toggleDay(before, MONDAY)
  expect(countChanges(before, one)).toBe(1)
  expect(countChanges(before, toggleDay(one, MONDAY))).toBe(0)
  const settings = { ...one.settings, bufferMinutes: 10, closedOnHolidays: true }
  expect(countChanges(before, { ...one, settings })).toBe(3)
})

test('another week is one change, and each day in which it differs one more', () => {
  const before = draftWith([1, 540, 720])
  const two = setWeeks(before, 2)
  expect(countChanges(before, two)).toBe(1)
  expect(countChanges(before, toggleDay(two, { ...MONDAY, week: 2 }))).toBe(2)
  expect(countChanges(before, toggleDay(two, MONDAY))).toBe(2)
  expect(countChanges(two, before)).toBe(1)
})

test('a good week is five days with a lunch break, sent in the order of the week', () => {
  const { hours } = toInput(withDefaultWeek(draftWith(), BOROUGH))
  expect(hours).toHaveLength(10)
  expect(hours.slice(0, 3)).toEqual([
    { ...MONDAY, from: 540, to: 750 },
    { ...MONDAY, from: 810, to: 1_020 },
    { ...TUESDAY, from: 540, to: 750 },
  ])
  expect(countChanges(draftWith(), withDefaultWeek(draftWith(), BOROUGH))).toBe(5)
})
