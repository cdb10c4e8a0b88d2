import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { newId } from '#server/kernel/ids.ts'
import {
  countResults,
  insertPatients,
  makeProviderWithSlots,
  raceToBook,
  readBookingCounts,
} from '#tests/engines/booking-race.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const folder = join(import.meta.dirname, '..', '..', '.cache', 'bench', 'one-slot')
const CLIENTS = 1_000

/**
 * One race for one time. `amiss` counts deviations from one booking, one claim, one queued email and refusals
 * for all others.
 */
async function race(url: string): Promise<{ amiss: number; ms: number }> {
  const database = openDatabase(url)
  try {
    await migrateToLatest(database)
    await using testApp = await makeTestApp({ database, newId })
    const start = testApp.services.now() + 3_600_000
    const providerId = await makeProviderWithSlots(testApp, [{ start, minutes: 30 }])
    const startsAt = new Date(start).toISOString()
    const crowd = await insertPatients(testApp, CLIENTS)
    const requests = crowd.map((who) => ({ who, providerId, startsAt }))
    const startedAt = performance.now()
    const results = countResults(await raceToBook(testApp.services, requests))
    const ms = performance.now() - startedAt
    const counts = await readBookingCounts(database.db)
    const refused = results['slot_taken'] ?? 0
    const deviations = [
      Math.abs((results['booked'] ?? 0) - 1),
      Math.abs(counts.confirmed - 1),
      Math.abs(counts.emails - 1),
      Math.abs(counts.claims - 1),
      counts.overlapping,
      CLIENTS - 1 - refused,
    ]
    return { amiss: deviations.reduce((sum, n) => sum + n, 0), ms }
  } finally {
    await database.close()
  }
}

async function run({ quick }: BenchOptions): Promise<Measure[]> {
  const races = quick ? 1 : 10
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  let deviations = 0
  let ms = 0
  try {
    for (let n = 0; n < races; n += 1) {
      const outcome = await race(`sqlite:${join(folder, `race-${n}.db`)}`)
      deviations += outcome.amiss
      ms += outcome.ms
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return [
    {
      name: `whatever is not as it should be in ${races * CLIENTS} tries for ${races} times`,
      ours: deviations,
      limit: 1,
      unit: '',
      bar: { atMost: 0 },
    },
    {
      name: 'clients answered, by the second',
      ours: (races * CLIENTS * 1_000) / ms,
      limit: CLIENTS,
      unit: '/s',
      bar: null,
    },
  ]
}

export const bar: Bar = { no: 9, title: '1,000 clients, one time', run }
