import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import {
  countResults,
  insertPatients,
  makeProviderWithSlots,
  readBookingCounts,
} from './booking-race.ts'
import { raceProcesses } from './racer.ts'

const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const CLIENTS = 1_000

/** Runs several processes on one database, with all clients after the same time. */
async function race(url: string, processes: number) {
  const database = openDatabase(url)
  try {
    await migrateToLatest(database)
    await using testApp = await makeTestApp({ database })
    const providerId = await makeProviderWithSlots(testApp, [{ start: TOMORROW, minutes: 30 }])
    const startsAt = new Date(TOMORROW).toISOString()
    const patients = await insertPatients(testApp, CLIENTS)
    const wishes = patients.map((who) => ({ who, providerId, startsAt }))
    const jobs = Array.from({ length: processes }, (_, n) => ({
      url,
      wishes: wishes.filter((__, at) => at % processes === n),
    }))
    const verdicts = await raceProcesses(jobs)
    return { verdicts: countResults(verdicts), books: await readBookingCounts(database.db) }
  } finally {
    await database.close()
  }
}

const oneWinner = {
  verdicts: { booked: 1, slot_taken: CLIENTS - 1 },
  books: { live: 1, overlapping: 0, confirmed: 1, told: 1, audited: 1, claims: 1 },
}

test('1,000 clients of four processes on one SQLite file: one of them has the time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-race-'))
  try {
    expect(await race(`sqlite:${join(folder, 'race.db')}`, 4)).toEqual(oneWinner)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 180_000)

test('1,000 clients of two processes on Postgres: one of them has the time', async () => {
  const server = inject('postgresUrl')
  const name = `race_${randomBytes(6).toString('hex')}`
  const admin = openDatabase(`${server}/postgres`, { poolSize: 1 })
  try {
    await sql`create database ${sql.id(name)} encoding 'UTF8' template template0`.execute(admin.db)
    expect(await race(`${server}/${name}`, 2)).toEqual(oneWinner)
    await sql`drop database ${sql.id(name)}`.execute(admin.db)
  } finally {
    await admin.close()
  }
}, 180_000)
