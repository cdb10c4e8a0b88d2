import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { type AccountRef, insertPatients, makeProviderWithSlots } from './booking-race.ts'
import { raceProcesses } from './racer.ts'
import { expectConsistentSlots } from './slot-invariants.ts'
import type { VisitAction } from './visits-race.ts'

const HOUR = 3_600_000
/** Start of the visit; cancelling is still free. */
const START = Date.parse('2026-03-05T09:00:00Z')
const CONCURRENCY = 50
const PROCESSES = 2
const PAIRS = 10

const iso = (at: number) => new Date(at).toISOString()
const uuid = (n: number) => `0b8f7c3e-5a44-4f0e-9d57-${String(n).padStart(12, '0')}`

/** The URL of an empty database that several processes may share. */
type Shared = { url: string } & AsyncDisposable

async function onFile(): Promise<Shared> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-visits-'))
  return {
    url: `sqlite:${join(folder, 'race.db')}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

async function onPostgres(): Promise<Shared> {
  const server = inject('postgresUrl')
  const name = `visits_${randomBytes(6).toString('hex')}`
  const admin = openDatabase(`${server}/postgres`, { poolSize: 1 })
  await sql`create database ${sql.id(name)} encoding 'UTF8' template template0`.execute(admin.db)
  return {
    url: `${server}/${name}`,
    [Symbol.asyncDispose]: async () => {
      await sql`drop database ${sql.id(name)}`.execute(admin.db)
      await admin.close()
    },
  }
}

/** A test app on such a database, whose provider offers `count` times, an hour apart. */
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
  if (who === undefined) throw new Error('Nobody came.')
  return who
}

/** Distributes the acts over the processes. */
function race(url: string, acts: readonly VisitAction[]): Promise<string[]> {
  const jobs = Array.from({ length: PROCESSES }, (_, n) => ({
    url,
    acts: acts.filter((__, at) => at % PROCESSES === n),
  }))
  return raceProcesses(jobs)
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
  ['one SQLite file', onFile],
  ['Postgres', onPostgres],
])('two processes on %s', (__, share) => {
  test('fifty that cancel, move and give back at once: one end state, one refund', async () => {
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
    const told = await race(url, acts)
    expect(told).toHaveLength(CONCURRENCY)
    for (const code of told) expect(LATE).toContain(code)
    // Either a move and then a refund by staff, which checks no sequence, or one of the two that cancel.
    const done = told.filter((code) => code === 'done').length
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

  test('visits whose patients swap their times keep theirs, and nobody waits for ever', async () => {
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
    expect(await race(url, acts)).toEqual(acts.map(() => 'slot_taken'))
    const rows = await database.db
      .selectFrom('bookings')
      .select(['start_at', 'sequence'])
      .orderBy('no')
      .execute()
    expect(rows).toEqual(starts.map((start) => ({ start_at: start, sequence: 0 })))
    await expectConsistentSlots(database)
  }, 180_000)

  test('visits that all move one up, into each other’s old times: none is lost', async () => {
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
    const told = await race(url, acts)
    for (const code of told) expect(['done', 'slot_taken']).toContain(code)
    expect(told).toContain('done')
    const moved = await database.db
      .selectFrom('bookings')
      .select('no')
      .where('sequence', '=', 1)
      .execute()
    expect(moved).toHaveLength(told.filter((code) => code === 'done').length)
    await expectConsistentSlots(database)
  }, 180_000)
})
