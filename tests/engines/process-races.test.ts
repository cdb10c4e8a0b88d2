import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { type AccountRef, signedInAs } from '#tests/harness/accounts.ts'
import { makePostgresDatabase, makeSqliteFile } from '#tests/harness/servers/empty-database.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { countSuperusers, makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import {
  countResults,
  insertPatients,
  makeProviderWithSlots,
  readBookingCounts,
} from './booking-race.ts'
import { attemptAll, type RaceJob, ringOf, type VisitAction } from './race-child.ts'
import { expectConsistentSlots } from './slot-invariants.ts'

type Racer = { process: ChildProcess; lines: AsyncIterator<string> }

async function nextLine({ lines }: Racer): Promise<string> {
  const line = await lines.next()
  if (line.done === true) throw new Error('A process ended without a result.')
  return line.value
}

// Started once and reused: starting takes longer than most races.
const racers: Racer[] = []

function endRacers(): void {
  for (const { process: child } of racers.splice(0)) child.kill()
}

afterAll(endRacers)

function startRacer(): Racer {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'race-child.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { process: child, lines }
}

/** The share of each process, dealt out in turn. */
function sharesOf<T>(all: readonly T[], processes: number): T[][] {
  return Array.from({ length: processes }, (_, n) => all.filter((__, at) => at % processes === n))
}

/** Runs one process per job against each other; returns the results of all. */
async function raceProcesses(jobs: readonly RaceJob[]): Promise<string[]> {
  while (racers.length < jobs.length) racers.push(startRacer())
  const running = racers.slice(0, jobs.length)
  try {
    for (const [n, racer] of running.entries()) {
      racer.process.stdin?.write(`${JSON.stringify(jobs[n])}\n`)
    }
    for (const racer of running) expect(await nextLine(racer)).toBe('ready')
    for (const racer of running) racer.process.stdin?.write('go\n')
    const lines = await Promise.all(running.map(nextLine))
    return lines.flatMap((line) => z.array(z.string()).parse(JSON.parse(line)))
  } catch (error) {
    // Their next output is unknown.
    endRacers()
    throw error
  }
}

const onPostgres = () => makePostgresDatabase(inject('postgresUrl'))

const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const CLIENTS = 1_000

/** Runs several processes on one database, with all clients after the same time. */
async function raceForTime(url: string, processes: number) {
  const database = openDatabase(url)
  try {
    await migrateToLatest(database)
    await using testApp = await makeTestApp({ database })
    const providerId = await makeProviderWithSlots(testApp, [{ start: TOMORROW, minutes: 30 }])
    const startsAt = new Date(TOMORROW).toISOString()
    const patients = await insertPatients(testApp, CLIENTS)
    const wishes = patients.map((who) => ({ who, providerId, startsAt }))
    const verdicts = await raceProcesses(
      sharesOf(wishes, processes).map((share) => ({ url, wishes: share })),
    )
    return { verdicts: countResults(verdicts), counts: await readBookingCounts(database.db) }
  } finally {
    await database.close()
  }
}

const oneWinner = {
  verdicts: { booked: 1, slot_taken: CLIENTS - 1 },
  counts: { live: 1, overlapping: 0, confirmed: 1, emails: 1, audited: 1, claims: 1 },
}

test('1,000 clients of four processes on one SQLite file: one gets the time', async () => {
  await using shared = await makeSqliteFile()
  expect(await raceForTime(shared.url, 4)).toEqual(oneWinner)
}, 180_000)

test('1,000 clients of two processes on Postgres: one gets the time', async () => {
  await using shared = await onPostgres()
  expect(await raceForTime(shared.url, 2)).toEqual(oneWinner)
}, 180_000)

const HOUR = 3_600_000
/** Start of the visit; cancelling is still free. */
const START = Date.parse('2026-03-05T09:00:00Z')
const CONCURRENCY = 50
const PROCESSES = 2
const PAIRS = 10

const iso = (at: number) => new Date(at).toISOString()
const uuid = (n: number) => `0b8f7c3e-5a44-4f0e-9d57-${String(n).padStart(12, '0')}`

/** A test app on a shared database, whose provider offers `count` times, an hour apart. */
async function openShared(url: string, count: number) {
  const database = openDatabase(url)
  await migrateToLatest(database)
  const testApp = await makeTestApp({ database })
  const starts = Array.from({ length: count }, (_, n) => START + n * HOUR)
  const slots = starts.map((start) => ({ start, minutes: 30 }))
  const providerId = await makeProviderWithSlots(testApp, slots)
  return {
    database,
    testApp,
    starts,
    book: (who: AccountRef, start: number) =>
      bookVisit(signedInAs(testApp.services, who), { providerId, startsAt: iso(start) }),
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await database.close()
    },
  }
}

async function anyPatient(testApp: TestApp): Promise<AccountRef> {
  const [who] = await insertPatients(testApp, 1)
  if (who === undefined) throw new Error('There is no patient.')
  return who
}

/** Distributes the acts over the processes. */
function raceOnVisit(url: string, acts: readonly VisitAction[]): Promise<string[]> {
  return raceProcesses(sharesOf(acts, PROCESSES).map((share) => ({ url, acts: share })))
}

/** Allowed results; `busy`, as after a deadlock, is not one of them. */
const LATE = new Set([
  'done',
  'changed_meanwhile',
  'visit_cancelled',
  'terms_changed',
  'refund_nothing',
  'release_impossible',
])

describe.each([
  ['one SQLite file', makeSqliteFile],
  ['Postgres', onPostgres],
])('two processes on %s', (__, share) => {
  test('fifty concurrent cancellations, moves and refunds: one result, one refund', async () => {
    await using shared = await share()
    const { url } = shared
    await using at = await openShared(url, CONCURRENCY)
    const { database, testApp, starts } = at
    const { db } = database
    const patient = await anyPatient(testApp)
    const staff = await makeStaff(testApp, 'admin')
    const id = await at.book(patient, START)
    const { id: paymentId } = await db.selectFrom('payments').select('id').executeTakeFirstOrThrow()
    const acts = Array.from({ length: CONCURRENCY }, (_, n): VisitAction => {
      // In groups of six, so that each process runs all three kinds.
      const kind = (n % 6) >> 1
      if (kind === 0) return { how: 'cancel', by: patient, id }
      if (kind === 1) return { how: 'refund', by: staff, id, paymentId, key: uuid(n) }
      return { how: 'move', by: patient, id, startsAt: iso(starts[n] ?? 0) }
    })
    const results = await raceOnVisit(url, acts)
    expect(results).toHaveLength(CONCURRENCY)
    for (const code of results) expect(LATE).toContain(code)
    // Either a move and then a refund by staff, which checks no sequence, or one of the two that cancel.
    const done = results.filter((code) => code === 'done').length
    const changes = await db.selectFrom('visit_changes').select('what').orderBy('no').execute()
    expect(changes.map(({ what }) => what)).toEqual(
      done === 2 ? ['moved', 'cancelled'] : ['cancelled'],
    )
    const refunds = await db.selectFrom('refunds').select('amount_minor').execute()
    expect(refunds).toEqual([{ amount_minor: 6_000 }])
    const bookings = await db.selectFrom('bookings').select(['state', 'sequence']).execute()
    expect(bookings).toEqual([{ state: 'cancelled', sequence: done }])
    await expectConsistentSlots(database)
  }, 180_000)

  test('visits whose patients swap times keep theirs, without a deadlock', async () => {
    await using shared = await share()
    const { url } = shared
    await using at = await openShared(url, 2 * PAIRS)
    const { database, testApp, starts } = at
    const patients = await insertPatients(testApp, 2 * PAIRS)
    const acts: VisitAction[] = []
    for (const [n, by] of patients.entries()) {
      const other = starts[n % 2 === 0 ? n + 1 : n - 1] ?? 0
      const id = await at.book(by, starts[n] ?? 0)
      acts.push({ how: 'move', by, id, startsAt: iso(other) })
    }
    expect(await raceOnVisit(url, acts)).toEqual(acts.map(() => 'slot_taken'))
    const rows = await database.db
      .selectFrom('bookings')
      .select(['start_at', 'sequence'])
      .orderBy('no')
      .execute()
    expect(rows).toEqual(starts.map((start) => ({ start_at: start, sequence: 0 })))
    await expectConsistentSlots(database)
  }, 180_000)

  test('visits that all move into the next one’s old time: none is lost', async () => {
    await using shared = await share()
    const { url } = shared
    await using at = await openShared(url, 2 * PAIRS + 1)
    const { database, testApp, starts } = at
    const patients = await insertPatients(testApp, 2 * PAIRS)
    const acts: VisitAction[] = []
    for (const [n, by] of patients.entries()) {
      const id = await at.book(by, starts[n] ?? 0)
      acts.push({ how: 'move', by, id, startsAt: iso(starts[n + 1] ?? 0) })
    }
    const results = await raceOnVisit(url, acts)
    for (const code of results) expect(['done', 'slot_taken']).toContain(code)
    expect(results).toContain('done')
    const moved = await database.db
      .selectFrom('bookings')
      .select('no')
      .where('sequence', '=', 1)
      .execute()
    expect(moved).toHaveLength(results.filter((code) => code === 'done').length)
    await expectConsistentSlots(database)
  }, 180_000)
})

/** Allowed results: success, or a refusal because another attempt came first. */
const LATE_OF_STAFF = new Set(['done', 'superusers_only', 'not_found', 'last_superuser'])

function superusers(testApp: TestApp, count: number) {
  return Promise.all(Array.from({ length: count }, () => makeStaff(testApp, 'superuser')))
}

describeEngines('fifty concurrent calls', (makeDatabase) => {
  test.each([
    [2, 'each other'],
    [5, 'one another in a ring'],
  ])('of %i superusers who remove %s leave one', async (count) => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const results = await attemptAll(testApp, ringOf(await superusers(testApp, count), CONCURRENCY))
    const left = await countSuperusers(testApp.database.db)
    expect(left).toBeGreaterThanOrEqual(1)
    if (count === 2) expect(left).toBe(1)
    for (const code of results) expect(LATE_OF_STAFF).toContain(code)
    expect(results).toContain('done')
  })
})

/** Runs several processes on one database, each with its share of fifty attempts. */
async function raceOfStaff(url: string, processes: number) {
  const database = openDatabase(url)
  try {
    await migrateToLatest(database)
    await using testApp = await makeTestApp({ database })
    const attempts = ringOf(await superusers(testApp, 2), CONCURRENCY)
    const results = await raceProcesses(
      sharesOf(attempts, processes).map((share) => ({ url, attempts: share })),
    )
    expect(results).toHaveLength(CONCURRENCY)
    return { results, left: await countSuperusers(database.db) }
  } finally {
    await database.close()
  }
}

test('fifty attempts of four processes on one SQLite file leave one superuser', async () => {
  await using shared = await makeSqliteFile()
  const { results, left } = await raceOfStaff(shared.url, 4)
  expect(left).toBe(1)
  expect(results).toContain('done')
}, 180_000)

test('fifty attempts of two processes on Postgres leave one superuser', async () => {
  await using shared = await onPostgres()
  const { results, left } = await raceOfStaff(shared.url, 2)
  expect(left).toBe(1)
  expect(results).toContain('done')
}, 180_000)
