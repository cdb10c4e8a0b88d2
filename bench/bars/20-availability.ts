import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { NOW } from '#bench/data.ts'
import { DAY_MS, dateOfDay } from '#contract/base/time.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { findRules, type StoredRules } from '#server/availability/hours/read-availability.ts'
import {
  extendSlots,
  regenerateSlots,
  withdrawSlots,
} from '#server/availability/slots/extend-slots.ts'
import { planSlots } from '#server/availability/slots/plan-slots.ts'
import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'
import { refreshNextFreeOf } from '#server/search/reindex.ts'
import { firstTypeOf, makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const folder = join(import.meta.dirname, '..', '..', '.cache', 'bench', 'availability')

const MAX_PLAN_MS = 50
const MAX_WAIT_MS = 20
const DAYS = 60

/** 9:00 to 12:30 and 14:00 to 18:00, Monday to Saturday, in steps of 15 minutes. */
const HOURS = [1, 2, 3, 4, 5, 6].flatMap((weekday) => [
  { weekday, from: 540, to: 750 },
  { weekday, from: 840, to: 1_080 },
])
const MINUTES = 15

const today = NOW / DAY_MS - ((NOW / DAY_MS) % 1)

/** Writes hours for existing providers in few statements; the job generates their slots. */
async function writeHours(database: Database, people: readonly { no: number; place: number }[]) {
  const { db } = database
  for (let from = 0; from < people.length; from += 200) {
    const piece = people.slice(from, from + 200)
    await db
      .insertInto('schedules')
      .values(
        piece.map(({ no }) => ({
          provider_no: no,
          notice_minutes: 120,
          horizon_days: DAYS,
          buffer_minutes: 0,
          closed_on_holidays: 1 as const,
          rotation_weeks: 1,
          rotation_from: dateOfDay(today),
          generated_to: dateOfDay(today),
          extend_at: 0,
          withdraw_at: Number.MAX_SAFE_INTEGER,
          version: 1,
          updated_at: NOW,
        })),
      )
      .execute()
    await db
      .insertInto('weekly_hours')
      .values(
        piece.flatMap(({ no, place }) =>
          HOURS.map(({ weekday, from: from_minute, to: to_minute }) => {
            return { provider_no: no, place_no: place, week: 1, weekday, from_minute, to_minute }
          }),
        ),
      )
      .execute()
  }
}

async function makePeople(
  testApp: TestApp,
  count: number,
): Promise<{ no: number; place: number }[]> {
  const first = await makeProvider(testApp, { slots: [], consultation_minutes: MINUTES })
  const { db } = testApp.database
  const { no: _no, ...row } = await db
    .selectFrom('providers')
    .selectAll()
    .where('no', '=', first.no)
    .executeTakeFirstOrThrow()
  const { no: _place, ...place } = await db
    .selectFrom('places')
    .selectAll()
    .where('provider_no', '=', first.no)
    .executeTakeFirstOrThrow()
  const people = Array.from({ length: count }, (_, n) => ({ no: 10 + n, place: 10 + n }))
  for (let from = 0; from < count; from += 200) {
    const piece = people.slice(from, from + 200)
    await db
      .insertInto('providers')
      .values(piece.map(({ no }) => ({ ...row, no, id: `prv_${no}`, email: `${no}@x.example` })))
      .execute()
    await db
      .insertInto('visit_types')
      .values(piece.map(({ no }) => firstTypeOf({ ...row, no, id: `prv_${no}` })))
      .execute()
    await db
      .insertInto('places')
      .values(
        piece.map(({ no, place: placeNo }) => {
          return { ...place, no: placeNo, id: `plc_${placeNo}`, provider_no: no }
        }),
      )
      .execute()
  }
  return people
}

/**
 * Longest duration of a concurrent read, and most CPU time of the main thread before one turn of the event
 * loop, both in milliseconds.
 */
type Longest = { wait: number; block: number }

const busyMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Reads free times repeatedly, as a page does, until the work is done. */
async function longestDuring(testApp: TestApp, work: () => Promise<unknown>): Promise<Longest> {
  const longest: Longest = { wait: 0, block: 0 }
  const over = new AbortController()
  const ask = async () => {
    while (!over.signal.aborted) {
      const [asked, busy] = [performance.now(), busyMs()]
      // A request over a socket waits for a turn of the event loop first.
      await yieldToEventLoop()
      longest.block = Math.max(longest.block, busyMs() - busy)
      await testApp.database.db
        .selectFrom('slots')
        .select('start_at')
        .where('provider_no', '=', 10)
        .where('free', '=', 1)
        .limit(40)
        .execute()
      longest.wait = Math.max(longest.wait, performance.now() - asked)
    }
  }
  const asking = ask()
  await work()
  over.abort()
  await asking
  return longest
}

function timed(rounds: number, work: () => unknown): number {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    work()
    times.push(performance.now() - start)
  }
  return percentile(times, 0.5)
}

async function planTime(testApp: TestApp, no: number, rounds: number): Promise<number> {
  const stored: StoredRules | undefined = await findRules(testApp.database.db, no, NOW)
  if (stored === undefined) throw new Error('no rules')
  return timed(rounds, () => planSlots(stored.rules, { from: today, until: today + DAYS }))
}

async function saveTime(testApp: TestApp, people: readonly { no: number }[]): Promise<number> {
  const times: number[] = []
  for (const { no } of people) {
    const start = performance.now()
    await testApp.database.transaction((db) => regenerateSlots(db, no, NOW))
    times.push(performance.now() - start)
  }
  return percentile(times, 0.5)
}

/** Measures wall-clock time; the limit includes the wait on this machine when nothing runs. */
async function besideIdle(testApp: TestApp, work: () => Promise<unknown>) {
  const start = performance.now()
  const longest = await longestDuring(testApp, work)
  const idle = await longestDuring(testApp, () => sleep(performance.now() - start))
  return { ...longest, limit: MAX_WAIT_MS + idle.wait }
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const count = options.quick ? 1_500 : 10_000
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const database = openDatabase(`sqlite:${join(folder, 'availability.db')}`)
  try {
    await migrateToLatest(database)
    const testApp = await makeTestApp({ database })
    options.say(`Making ${count} providers with hours`)
    const people = await makePeople(testApp, count)
    await writeHours(database, people)
    const plan = await planTime(testApp, people[0]?.no ?? 0, options.quick ? 20 : 100)
    const save = await saveTime(testApp, people.slice(0, 30))
    let now = NOW
    const services = { ...testApp.services, now: () => now }
    options.say('Filling their calendars')
    await extendSlots(services, refreshNextFreeOf)
    options.say('One night later')
    now += DAY_MS + 4 * 3_600_000
    const night = await besideIdle(testApp, () => extendSlots(services, refreshNextFreeOf))
    now += 8 * 3_600_000
    const hour = await besideIdle(testApp, () => withdrawSlots(services, refreshNextFreeOf))
    const line = (name: string, ours: number, limit: number) => {
      return { name, ours, limit, unit: 'ms', bar: { atMost: 1 } }
    }
    const clock = (measure: Measure) => (options.quick ? { ...measure, bar: null } : measure)
    const shown = count.toLocaleString('en-GB')
    return [
      line('slots of 60 days for one provider', plan, MAX_PLAN_MS),
      line('the same, saved where nothing was', save, MAX_PLAN_MS),
      line(`longest block while ${shown} are extended, processor`, night.block, MAX_WAIT_MS),
      line('longest block while times are withdrawn, processor', hour.block, MAX_WAIT_MS),
      // Other processes on the machine affect these, so a quick run beside tests shows them without judging.
      clock(line(`longest wait while ${shown} are extended`, night.wait, night.limit)),
      clock(line('longest wait while times are withdrawn', hour.wait, hour.limit)),
    ]
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export const bar: Bar = { no: 20, title: 'Availability', run }
