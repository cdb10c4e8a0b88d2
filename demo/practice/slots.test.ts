import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/base/time.ts'
import type { Database } from '#db/engine.ts'
import { seedDemo } from '#demo/seed.ts'
import { insertTestAreas } from '#demo/test-areas.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { dayIn } from './schedule.ts'
import { demoProviders, planSlots, topUpDemo } from './slots.ts'

const MONDAY = Date.parse('2026-03-02T12:00:00Z')
const HOUR = 3_600_000

const reindex = () => Promise.resolve()

// Slots need no portraits.
const withoutPortraits = { mediaFolder: '', copy: () => Promise.resolve(new Map<string, string>()) }

function slots(database: Database) {
  return database.db
    .selectFrom('slots')
    .innerJoin('providers', 'providers.no', 'slots.provider_no')
    .innerJoin('places', 'places.no', 'slots.place_no')
    .select(['providers.id', 'start_at', 'minutes', 'free', 'time_zone'])
    .orderBy('providers.id')
    .orderBy('start_at')
    .execute()
}

function daysOf(rows: Awaited<ReturnType<typeof slots>>, now: number): Set<number> {
  return new Set(rows.map((row) => dayIn(row.time_zone, row.start_at) - dayIn(row.time_zone, now)))
}

describeEngines('the demo’s calendars', (makeDatabase) => {
  async function seededAt(now: number): Promise<Database> {
    const database = await makeDatabase()
    await insertTestAreas(database)
    await seedDemo(database, { ...withoutPortraits, now, reindex, providersPerRegion: 30 })
    return database
  }

  test.each([1, 3, 40])(
    'after %i days are the same as in a demo started that day',
    async (days) => {
      const now = MONDAY + days * DAY_MS
      const database = await seededAt(MONDAY)
      await topUpDemo(database, { now, reindex })
      const begunThen = planSlots(await demoProviders(database.db), now, null).added
      const rows = await database.db
        .selectFrom('slots')
        .innerJoin('places', 'places.no', 'slots.place_no')
        .select(['slots.provider_no', 'start_at', 'place_no', 'minutes', 'free', 'time_zone'])
        .orderBy('slots.provider_no')
        .orderBy('start_at')
        .execute()
      const coming = rows
        .filter((row) => dayIn(row.time_zone, row.start_at) >= dayIn(row.time_zone, now))
        .map((row) => [row.provider_no, row.start_at, row.place_no, row.minutes, row.free])
      expect(coming.length).toBeGreaterThan(1_000)
      expect(coming).toEqual(begunThen)
    },
  )

  test('gain exactly the new day', async () => {
    const database = await seededAt(MONDAY)
    const before = await slots(database)
    const added = await topUpDemo(database, { now: MONDAY + DAY_MS, reindex })
    const after = await slots(database)
    expect(after).toHaveLength(before.length + added)
    expect(added).toBeGreaterThan(50)
    const known = new Set(before.map((row) => `${row.id} ${row.start_at}`))
    const gained = after.filter((row) => !known.has(`${row.id} ${row.start_at}`))
    expect(daysOf(gained, MONDAY)).toEqual(new Set([15]))
  })

  test('need nothing later on the same day, nor when the clock is set back', async () => {
    const database = await seededAt(MONDAY)
    expect(await topUpDemo(database, { now: MONDAY + 2 * HOUR, reindex })).toBe(0)
    expect(await topUpDemo(database, { now: MONDAY - 5 * DAY_MS, reindex })).toBe(0)
  })

  test('advance at each clinic’s own midnight', async () => {
    const database = await seededAt(MONDAY)
    const londonIsTuesday = Date.parse('2026-03-03T00:30:00Z')
    await topUpDemo(database, { now: londonIsTuesday, reindex })
    const zones = (rows: Awaited<ReturnType<typeof slots>>) =>
      new Set(
        rows.filter((row) => dayIn(row.time_zone, row.start_at) === last).map((r) => r.time_zone),
      )
    const last = dayIn('Europe/London', londonIsTuesday) + 14
    expect(zones(await slots(database))).toEqual(new Set(['Europe/London']))
    await topUpDemo(database, { now: londonIsTuesday + 11 * HOUR, reindex })
    expect(zones(await slots(database)).size).toBeGreaterThan(4)
  })

  test('are deleted after a week, only those of the demo', async () => {
    const database = await seededAt(MONDAY)
    const { no: _no, ...row } = await database.db
      .selectFrom('providers')
      .selectAll()
      .limit(1)
      .executeTakeFirstOrThrow()
    const real = await database.db
      .insertInto('providers')
      .values({ ...row, id: 'prv_real', email: 'real@practice.example' })
      .returning('no')
      .executeTakeFirstOrThrow()
    await database.db
      .insertInto('slots')
      .values({ provider_no: real.no, start_at: MONDAY, place_no: 0, minutes: 30, free: 1 })
      .execute()
    const now = MONDAY + 10 * DAY_MS
    await topUpDemo(database, { now, reindex })
    const old = await database.db
      .selectFrom('slots')
      .select('provider_no')
      .where('start_at', '<', now - 7 * DAY_MS)
      .execute()
    expect(old).toEqual([{ provider_no: real.no }])
  })

  test('never free a slot that somebody has booked', async () => {
    const database = await seededAt(MONDAY)
    const taken = await database.db
      .selectFrom('slots')
      .select(['provider_no', 'start_at'])
      .where('free', '=', 1)
      .where('start_at', '>', MONDAY + 10 * DAY_MS)
      .limit(1)
      .executeTakeFirstOrThrow()
    await database.db
      .updateTable('slots')
      .set({ free: 0 })
      .where('provider_no', '=', taken.provider_no)
      .where('start_at', '=', taken.start_at)
      .execute()
    await topUpDemo(database, { now: MONDAY + 3 * DAY_MS, reindex })
    const after = await database.db
      .selectFrom('slots')
      .select('free')
      .where('provider_no', '=', taken.provider_no)
      .where('start_at', '=', taken.start_at)
      .execute()
    expect(after).toEqual([{ free: 0 }])
  })

  test('are advanced once by two concurrent processes', async () => {
    const database = await seededAt(MONDAY)
    const indexed: number[] = []
    const counted = (_db: unknown, now: number) => Promise.resolve(indexed.push(now))
    const now = MONDAY + DAY_MS
    const added = await Promise.all([
      topUpDemo(database, { now, reindex: counted }),
      topUpDemo(database, { now, reindex: counted }),
    ])
    expect(added.filter((count) => count > 0)).toHaveLength(1)
    expect(indexed).toEqual([now])
  })

  test('are not touched without a demo', async () => {
    const database = await makeDatabase()
    expect(await topUpDemo(database, { now: MONDAY, reindex })).toBe(0)
  })
})
