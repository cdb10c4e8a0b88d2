import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import { type Bar, type BenchOptions, type Measure, percentile, type Times } from '#bench/bar.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { newId } from '#server/kernel/ids.ts'
import {
  type BookingAttempt,
  insertPatients,
  makeProviderWithSlots,
} from '#tests/engines/booking-race.ts'
import { signedInAs } from '#tests/harness/accounts.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

type Values = readonly unknown[]
type RecordedStatement = { sql: string; values: Values }
type Run = (this: Sqlite.Statement, values: Values) => unknown

/** Statements that SQLite ran, in order, whichever code issued them. */
export type Script = readonly RecordedStatement[]

/**
 * Records every statement that any SQLite connection of this process runs, with its values. `take` returns
 * the statements recorded since the last call; `stop` ends recording.
 */
function recordStatements(): { take(): Script; stop(): void } {
  const some = new Sqlite(':memory:')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const statements = Object.getPrototypeOf(some.prepare('select 1')) as { all: Run; run: Run }
  some.close()
  const original = { all: statements.all, run: statements.run }
  let recorded: RecordedStatement[] = []
  const recording = (inner: Run): Run =>
    function note(values) {
      recorded.push({ sql: this.source, values })
      return inner.call(this, values)
    }
  statements.all = recording(original.all)
  statements.run = recording(original.run)
  return {
    take: () => {
      const script = recorded
      recorded = []
      return script
    },
    stop: () => Object.assign(statements, original),
  }
}

/**
 * A copy of the database at its current state in `file`, driven by the SQLite binding alone: statements are
 * prepared once and run one after the other. Settings, including flushing, are those of `db/sqlite.ts`.
 */
async function copyBare(database: Database, file: string) {
  await database.db.executeQuery(CompiledQuery.raw('pragma wal_checkpoint(truncate)'))
  const copy = `${file}-bare`
  await copyFile(file, copy)
  const raw = new Sqlite(copy)
  const settings = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']
  const room = ['temp_store = MEMORY', 'cache_size = -4000', 'mmap_size = 2147418112']
  for (const setting of [...settings, ...room]) raw.pragma(setting)
  const prepared = new Map<string, Sqlite.Statement>()
  return {
    replay(script: Script): void {
      for (const { sql, values } of script) {
        let statement = prepared.get(sql)
        if (statement === undefined) {
          statement = raw.prepare(sql)
          prepared.set(sql, statement)
        }
        if (statement.reader) statement.all(values)
        else statement.run(values)
      }
    },
    bookings: () => Number(raw.prepare('select count(*) from bookings').pluck().get()),
    close: () => raw.close(),
  }
}

const folder = join(import.meta.dirname, '..', '..', '.cache', 'bench', 'bookings')
const CONCURRENCY = 32
const STEP = 1_800_000
const BLOCK = 4_096

/** Measures the disk's own rate, which is the limit: writes and flushes one block repeatedly. */
function makeDisk(path: string) {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(BLOCK, 7)
  let at = 0
  return {
    flush: () => {
      // Overwrites a log in a circle, as SQLite does.
      writeSync(file, block, 0, BLOCK, (at++ % 1_000) * BLOCK)
      fdatasyncSync(file)
    },
    close: () => closeSync(file),
  }
}

/** Enough providers that the holds on each stay within the cap for new accounts. */
const PROVIDERS = 1_000

/** Patients who each want a different time. */
async function makeRequests(testApp: TestApp, count: number): Promise<BookingAttempt[]> {
  const start = testApp.services.now() + STEP
  const crowd = await insertPatients(testApp, count)
  const each = Math.ceil(count / PROVIDERS)
  const offers: string[] = []
  for (let n = 0; n < PROVIDERS; n += 1) {
    const slots = Array.from({ length: each }, (_, k) => ({ start: start + k * STEP, minutes: 30 }))
    offers.push(await makeProviderWithSlots(testApp, slots))
  }
  return crowd.map((who, n) => ({
    who,
    providerId: offers[n % PROVIDERS] ?? '',
    startsAt: new Date(start + Math.floor(n / PROVIDERS) * STEP).toISOString(),
  }))
}

type Act = (wish: BookingAttempt) => Promise<unknown>

const TURN_SIZE = 32

type CompareOptions = { act: Act; flush: () => void; replay: () => void; inFlight: number }
type Timings = { acts: Times; bare: Times; flushes: Times }

/**
 * Milliseconds for each act, for the same statements on SQLite alone, and for a flush. The three take turns,
 * so that a slow moment of the disk affects them equally. `inFlight` acts run at a time.
 */
async function compare(
  requests: readonly BookingAttempt[],
  ways: CompareOptions,
): Promise<Timings> {
  const each: Timings = { acts: [], bare: [], flushes: [] }
  for (let from = 0; from + TURN_SIZE <= requests.length; from += TURN_SIZE) {
    const turn = requests.slice(from, from + TURN_SIZE)
    const start = performance.now()
    if (ways.inFlight === 1) for (const wish of turn) await ways.act(wish)
    else await Promise.all(turn.map(ways.act))
    const acted = performance.now()
    ways.replay()
    const replayed = performance.now()
    for (let n = 0; n < TURN_SIZE; n += 1) ways.flush()
    const end = performance.now()
    if (from < 2 * TURN_SIZE) continue
    each.acts.push((acted - start) / TURN_SIZE)
    each.bare.push((replayed - acted) / TURN_SIZE)
    each.flushes.push((end - replayed) / TURN_SIZE)
  }
  return each
}

const rate = (times: Times) => 1_000 / percentile(times, 0.5)

async function countBookings({ db }: Database): Promise<number> {
  const { count } = await db
    .selectFrom('bookings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const count = options.quick ? 480 : 3_200
  const path = join(folder, 'bookings.db')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const database = openDatabase(`sqlite:${path}`)
  const disk = makeDisk(join(folder, 'raw'))
  try {
    await migrateToLatest(database)
    const testApp = await makeTestApp({ database, newId })
    const requests = await makeRequests(testApp, 4 * count)
    const as = ({ who }: BookingAttempt) => signedInAs(testApp.services, who)
    const hold: Act = (wish) =>
      holdSlot(as(wish), { providerId: wish.providerId, startsAt: wish.startsAt })
    const whole: Act = (wish) => bookVisit(as(wish), wish)
    const bare = await copyBare(database, path)
    const statements = recordStatements()
    const againstDisk: Measure[] = []
    const againstBare: Measure[] = []
    const lines = [
      ['held, claimed, queued and audited, one by one', hold, 1],
      ['the same, 32 in flight', hold, CONCURRENCY],
      ['held, proved, paid and confirmed, one by one', whole, 1],
      ['the same, 32 in flight', whole, CONCURRENCY],
    ] as const
    try {
      for (const [at, [name, act, inFlight]] of lines.entries()) {
        const each = await compare(requests.slice(at * count, (at + 1) * count), {
          act,
          inFlight,
          flush: disk.flush,
          replay: () => {
            bare.replay(statements.take())
            // Discards the replayed statements, which were recorded too.
            statements.take()
          },
        })
        const mine = rate(each.acts)
        // Not judged: docs/decisions/015 explains how a fast disk affects this ratio.
        const flushes = { ours: mine, limit: rate(each.flushes), unit: '/s', bar: null }
        againstDisk.push({ name: `against flushes: ${name}`, ...flushes })
        const alone = { ours: mine, limit: rate(each.bare), unit: '/s' }
        againstBare.push({ name: `against SQLite alone: ${name}`, ...alone, bar: { atLeast: 0.4 } })
      }
      const [made, copied] = [await countBookings(database), bare.bookings()]
      if (made !== copied) throw new Error(`${made} bookings were made, ${copied} repeated`)
    } finally {
      statements.stop()
      bare.close()
    }
    return [...againstDisk, ...againstBare]
  } finally {
    disk.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export const bar: Bar = { no: 8, title: 'Durable bookings, against the disk and SQLite alone', run }
