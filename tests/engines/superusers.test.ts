import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { raceProcesses } from './racer.ts'
import { attemptAll, countSuperusers, ringOf } from './superusers-race.ts'

const CONCURRENCY = 50

/** Allowed results: success, or a refusal because another attempt came first. */
const LATE = new Set(['done', 'superusers_only', 'not_found', 'last_superuser'])

function superusers(testApp: TestApp, count: number) {
  return Promise.all(Array.from({ length: count }, () => makeStaff(testApp, 'superuser')))
}

describeEngines('fifty at once', (makeDatabase) => {
  test.each([
    [2, 'each other'],
    [5, 'one another in a ring'],
  ])('of %i superusers who take %s away leave one', async (count) => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const told = await attemptAll(testApp, ringOf(await superusers(testApp, count), CONCURRENCY))
    const left = await countSuperusers(testApp.database.db)
    expect(left).toBeGreaterThanOrEqual(1)
    if (count === 2) expect(left).toBe(1)
    for (const code of told) expect(LATE).toContain(code)
    expect(told).toContain('done')
  })
})

/** Runs several processes on one database, each with its share of fifty attempts. */
async function race(url: string, processes: number) {
  const database = openDatabase(url)
  try {
    await migrateToLatest(database)
    await using testApp = await makeTestApp({ database })
    const attempts = ringOf(await superusers(testApp, 2), CONCURRENCY)
    const jobs = Array.from({ length: processes }, (_, n) => ({
      url,
      attempts: attempts.filter((__, at) => at % processes === n),
    }))
    const told = await raceProcesses(jobs)
    expect(told).toHaveLength(CONCURRENCY)
    return { told, left: await countSuperusers(database.db) }
  } finally {
    await database.close()
  }
}

test('fifty attempts of four processes on one SQLite file leave one superuser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-staff-'))
  try {
    const { told, left } = await race(`sqlite:${join(folder, 'race.db')}`, 4)
    expect(left).toBe(1)
    expect(told).toContain('done')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 180_000)

test('fifty attempts of two processes on Postgres leave one superuser', async () => {
  const server = inject('postgresUrl')
  const name = `staff_${randomBytes(6).toString('hex')}`
  const admin = openDatabase(`${server}/postgres`, { poolSize: 1 })
  try {
    await sql`create database ${sql.id(name)} encoding 'UTF8' template template0`.execute(admin.db)
    const { told, left } = await race(`${server}/${name}`, 2)
    expect(left).toBe(1)
    expect(told).toContain('done')
    await sql`drop database ${sql.id(name)}`.execute(admin.db)
  } finally {
    await admin.close()
  }
}, 180_000)
