import { expect, test } from 'vitest'
import { DAY_MS, toIso } from '#contract/base/time.ts'
import type { OwnVisitType } from '#contract/profiles-own.ts'
import type { VisitMode } from '#contract/search.ts'
import { endOfDayAfter } from '#server/availability/rules.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { refreshNextFreeOf, reindexProviders } from '#server/search/reindex.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { type Clinician, makeClinician, makeVisitTypeEditor } from '#tests/harness/clinician.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { Dice } from './payments/crashes.ts'

// Compares free times by type with an independent planner, with buffers, two places in two zones and days of
// clock changes. `TYPES_SEED=… vitest run …` repeats a failed run.
const seed = Number(process.env['TYPES_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const MINUTE = 60_000
/** Clocks go forward in New York on 8 March 2026 and in London on 29 March, and back again in autumn. */
const STARTS = ['2026-03-05T09:00:00Z', '2026-03-26T09:00:00Z', '2026-10-23T09:00:00Z']
const DAYS = 8
const NOTICE = 60

type Type = OwnVisitType & { placeNo: number | null }
type Range = { weekday: number; from: number; to: number; placeNo: number }
type Span = { start: number; end: number }

/** The instants at which a local clock shows this time: none, one, or two. */
function instantsOf(date: string, minute: number, timeZone: string): number[] {
  const wall = Temporal.PlainDateTime.from(date).add({ minutes: minute })
  const found = (['earlier', 'later'] as const)
    .map((disambiguation) => wall.toZonedDateTime(timeZone, { disambiguation }))
    .filter((there) => there.toPlainDateTime().equals(wall))
    .map((there) => there.epochMilliseconds)
  return [...new Set(found)].toSorted((a, b) => a - b)
}

type ScheduleModel = {
  now: number
  hours: readonly Range[]
  zones: ReadonlyMap<number, string>
  types: readonly Type[]
  buffer: number
  claims: readonly Span[]
}

/**
 * The grid of `start` and place, computed minute by minute from the hours. Of two overlapping slots the
 * earlier one wins; of two at the same instant, the one whose hours open earlier in local time.
 */
function naiveGrid({
  now,
  hours,
  zones,
  types,
  buffer,
}: ScheduleModel): { start: number; placeNo: number }[] {
  const step = Math.min(...types.map(({ minutes }) => minutes))
  const all: { start: number; placeNo: number }[] = []
  const first = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate()
  for (let day = -2; day < DAYS + 3; day += 1) {
    const date = first.add({ days: day })
    for (const { weekday, from, to, placeNo } of hours.toSorted((a, b) => a.from - b.from)) {
      if (weekday !== date.dayOfWeek) continue
      const zone = zones.get(placeNo) ?? 'UTC'
      const closes = Math.max(...instantsOf(date.toString(), to, zone))
      for (let at = from; at + step <= to; at += step + buffer) {
        for (const start of instantsOf(date.toString(), at, zone)) {
          if (start + step * MINUTE <= closes) all.push({ start, placeNo })
        }
      }
    }
  }
  const kept: typeof all = []
  for (const slot of all.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1)
    if (last === undefined || slot.start >= last.start + (step + buffer) * MINUTE) kept.push(slot)
  }
  return kept
}

/** Times a visit can begin: every slot within the visit and its buffer exists and is free. */
function naiveStarts(model: ScheduleModel, type: Type): string[] {
  const { now, types, buffer, claims } = model
  const step = Math.min(...types.map(({ minutes }) => minutes)) * MINUTE
  const gap = buffer * MINUTE
  const isFree = (start: number) =>
    claims.every((claim) => claim.end + gap <= start || claim.start >= start + step + gap)
  const grid = naiveGrid(model).filter(({ start }) => isFree(start))
  const found: string[] = []
  for (const { start, placeNo } of grid) {
    // Today's times depend on the minimum notice, which is not tested here.
    if (start < now + DAY_MS || start >= now + (DAYS - 1) * DAY_MS) continue
    if (type.placeNo !== null && type.placeNo !== placeNo) continue
    let at = start
    let isWhole = true
    // Adds slots until the visit and its buffer fit.
    while (at + step + gap < start + type.minutes * MINUTE + gap) {
      at += step + gap
      if (!grid.some((slot) => slot.start === at && slot.placeNo === placeNo)) isWhole = false
    }
    if (isWhole) found.push(toIso(start))
  }
  return found
}

type Storm = { testApp: TestApp; clinician: Clinician; dice: Dice; model: ScheduleModel }

async function shownStarts(
  { testApp, clinician, model }: Storm,
  typeId: string,
): Promise<string[]> {
  const from = toIso(model.now).slice(0, 10)
  const providerId = clinician.id
  const { days } = await testApp
    .caller()
    .availability.freeTimes({ providerId, typeId, from, days: DAYS })
  const [first, until] = [toIso(model.now + DAY_MS), toIso(model.now + (DAYS - 1) * DAY_MS)]
  return days
    .flatMap(({ slots }) => slots.map(({ startsAt }) => startsAt))
    .filter((startsAt) => startsAt >= first && startsAt < until)
}

async function makeStorm(testApp: TestApp, dice: Dice): Promise<Storm> {
  const clinician = await makeClinician(testApp, {
    offers_video: 1,
    places: [
      { name: 'Borough Practice', time_zone: 'Europe/London' },
      { name: 'Harbour Clinic', time_zone: 'America/New_York' },
    ],
  })
  const [main = 0, other = 0] = clinician.placeNos
  const { places } = await clinician.mine()
  const idOf = new Map(clinician.placeNos.map((no, at) => [no, places[at]?.id ?? '']))
  const hours = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday): Range[] => {
    // Some hours are at night, when clocks change.
    const from = dice.pick([0, 15, 60, 540])
    // No closing time within the hour that clocks skip.
    const to = Math.max(300, from + 120 + 15 * dice.below(12))
    const after = Math.min(1_380, to + 60 + 30 * dice.below(12))
    return [
      { weekday, from, to, placeNo: main },
      ...(dice.next() < 0.6 ? [{ weekday, from: to, to: after, placeNo: main }] : []),
      ...(dice.next() < 0.6 ? [{ weekday, from: 720, to: 960, placeNo: other }] : []),
    ]
  })
  const buffer = 5 * dice.below(4)
  await clinician.save(
    hours.map(({ placeNo, ...range }) => ({ ...range, placeId: idOf.get(placeNo) ?? '' })),
    { bufferMinutes: buffer, noticeMinutes: NOTICE, horizonDays: 20, closedOnHolidays: false },
  )
  const desk = await makeVisitTypeEditor(testApp, clinician)
  const [first] = await desk.own()
  const lengths = { First: [20, 30, 40, 45], Second: [15, 30, 50, 75], Third: [15, 45, 60, 90] }
  for (const [name, choices] of Object.entries(lengths)) {
    const isFirst = name === 'First'
    const placeId =
      !isFirst && dice.next() < 0.4 ? (idOf.get(dice.pick([main, other])) ?? null) : null
    const which = isFirst && first !== undefined ? { typeId: first.id } : {}
    const { status } = await desk.save({
      ...which,
      name,
      minutes: dice.pick(choices),
      placeId,
      mode: dice.pick(['both', 'in_person', 'video']),
      amount: 1_000 * (1 + dice.below(9)),
      follow_amount: 1_000 * (1 + dice.below(9)),
    })
    expect(status).toBe(200)
  }
  const types = await desk.own()
  const noOf = new Map([...idOf].map(([no, id]) => [id, no]))
  return {
    testApp,
    clinician,
    dice,
    model: {
      now: testApp.services.now(),
      hours,
      zones: new Map([
        [main, 'Europe/London'],
        [other, 'America/New_York'],
      ]),
      types: types.map((type) => {
        return { ...type, placeNo: type.placeId === null ? null : (noOf.get(type.placeId) ?? null) }
      }),
      buffer,
      claims: [],
    },
  }
}

/** Holds one of the times shown for a type, and records the claims. */
async function takeOne(storm: Storm): Promise<void> {
  const { testApp, clinician, dice } = storm
  const type = dice.pick(storm.model.types)
  const free = await shownStarts(storm, type.id)
  if (free.length === 0) return
  const startsAt = free[dice.below(free.length)] ?? ''
  const { caller } = await makePatient(testApp)
  const hold = await caller.booking.hold({ providerId: clinician.id, typeId: type.id, startsAt })
  const start = Date.parse(startsAt)
  expect(Date.parse(hold.endsAt)).toBe(start + type.minutes * MINUTE)
  const rows = await testApp.database.db.selectFrom('slot_claims').selectAll().execute()
  storm.model = {
    ...storm.model,
    claims: rows.map((row) => ({ start: row.start_at, end: row.end_at })),
  }
}

async function expectAsPlanned(storm: Storm, hint: string): Promise<void> {
  let count = 0
  for (const type of storm.model.types) {
    const planned = naiveStarts(storm.model, type)
    count += planned.length
    const shown = await shownStarts(storm, type.id)
    expect([hint, type.minutes, shown]).toEqual([hint, type.minutes, planned])
  }
  // Otherwise nothing was compared.
  expect([hint, count > 20]).toEqual([hint, true])
}

/** The search shows the first time of the first type. */
async function expectSearched({ testApp, clinician, model }: Storm, hint: string): Promise<void> {
  const { db } = testApp.database
  await reindexProviders(db, model.now, [clinician.no])
  const [first] = model.types
  const { nextFree } = await testApp.caller().availability.freeTimes({ providerId: clinician.id })
  const index = db.selectFrom('search_index').select('next_free').orderBy('place_no')
  const found = await index.execute()
  const nearest = Math.min(...found.map((row) => row.next_free))
  expect([hint, first === undefined ? null : toIso(nearest)]).toEqual([hint, nextFree])
  await refreshNextFreeOf(db, model.now, [clinician.no])
  expect(await index.execute()).toEqual(found)
}

/** A place as a search by mode should show it: with its first type in that mode, and that type's first time there. */
type Shown = { place: string; fee: number; followUpFee: number; nextFree: string | null }

async function plannedBy(mode: VisitMode, { testApp, clinician, model }: Storm): Promise<Shown[]> {
  const { places } = await clinician.mine()
  const shown: Shown[] = []
  for (const [at, placeNo] of clinician.placeNos.entries()) {
    const type = model.types.find(
      (one) =>
        (one.mode === mode || one.mode === 'both') &&
        (one.placeNo === null || one.placeNo === placeNo),
    )
    if (type === undefined) continue
    const asked = { providerId: clinician.id, typeId: type.id, days: 14 }
    const { days } = await testApp.caller().availability.freeTimes(asked)
    const place = places[at]?.name ?? ''
    const here = days.flatMap(({ slots }) => slots).find((slot) => slot.place === place)
    const { amount: fee, follow_amount: followUpFee } = type
    shown.push({ place, fee, followUpFee, nextFree: here?.startsAt ?? null })
  }
  return shown
}

/** A search by mode compares and shows each place with its first type in that mode. */
async function expectSearchedByMode(storm: Storm, hint: string): Promise<void> {
  const { testApp, model } = storm
  const { search } = testApp.caller()
  const tonight = toIso(endOfDayAfter('Europe/London', model.now, 0))
  const filters = [
    { isMet: () => true, filter: {} },
    { isMet: ({ fee }: Shown) => fee <= 3_000, filter: { fee_max: 30 } },
    { isMet: ({ fee }: Shown) => fee <= 6_000, filter: { fee_max: 60, sort: 'soonest' } },
    {
      isMet: ({ nextFree }: Shown) => nextFree !== null && nextFree < tonight,
      filter: { available: 'today' },
    },
  ] as const
  for (const mode of ['in_person', 'video'] as const) {
    const planned = await plannedBy(mode, storm)
    for (const { isMet, filter } of filters) {
      // Both places are at the same point: the first that matches is shown.
      const expected = planned.find(isMet)
      const wish = { postcode: '', latitude: 51.4965, longitude: -0.0985, mode, ...filter } as const
      const [found, map] = await Promise.all([search.providers(wish), search.map(wish)])
      const told = `${hint}, ${mode} ${JSON.stringify(filter)}`
      expect([told, found.total, map.total]).toEqual([told, ...(expected ? [1, 1] : [0, 0])])
      if (expected === undefined) continue
      const [card] = found.results
      expect([told, card?.place.name, card?.fee.minor, card?.followUpFee.minor]).toEqual([
        told,
        expected.place,
        expected.fee,
        expected.followUpFee,
      ])
      const [pin] = map.pins
      expect([told, card?.nextFree, pin?.nextFree, pin?.fee.minor]).toEqual([
        told,
        expected.nextFree,
        expected.nextFree,
        expected.fee,
      ])
    }
  }
}

describeEngines('visit types', (makeDatabase) => {
  test.each(STARTS)(
    'free times of each type match a naive planner, from %s',
    async (now) => {
      await using testApp = await makeTestApp({
        database: await makeDatabase(),
        clock: () => Date.parse(now),
      })
      const dice = new Dice(seed + Date.parse(now))
      const storm = await makeStorm(testApp, dice)
      await expectAsPlanned(storm, `seed ${seed}`)
      for (let turn = 0; turn < 6; turn += 1) {
        await takeOne(storm)
        await expectAsPlanned(storm, `seed ${seed}, turn ${turn}`)
      }
      // Regenerated from the rules, the slots are the same.
      await testApp.database.transaction((db) =>
        regenerateSlots(db, storm.clinician.no, storm.model.now),
      )
      await expectAsPlanned(storm, `seed ${seed}, made anew`)
      await expectSearched(storm, `seed ${seed}`)
      await expectSearchedByMode(storm, `seed ${seed}`)
      expect(storm.model.claims.length).toBeGreaterThan(0)
    },
    120_000,
  )
})
