import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { seeded } from '#bench/random.ts'
import type { Database } from '#db/engine.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import {
  countResults,
  insertPatients,
  makeProviderWithSlots,
  raceToBook,
  readBookingCounts,
} from './booking-race.ts'

const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const MINUTE = 60_000
const iso = (at: number) => new Date(at).toISOString()

/** Mutation test: removes only the constraint in the database. */
async function dropConstraint({ engine, db }: Database): Promise<void> {
  if (engine === 'postgres') {
    await sql`alter table slot_claims drop constraint slot_claims_no_overlap`.execute(db)
    return
  }
  await sql`drop trigger slot_claims_no_overlap_insert`.execute(db)
  await sql`drop trigger slot_claims_no_overlap_update`.execute(db)
}

async function raceForOneSlot(database: Database, clients: number) {
  await using testApp = await makeTestApp({ database })
  const providerId = await makeProviderWithSlots(testApp, [{ start: TOMORROW, minutes: 30 }])
  const patients = await insertPatients(testApp, clients)
  const attempts = patients.map((who) => ({ who, providerId, startsAt: iso(TOMORROW) }))
  const verdicts = countResults(await raceToBook(testApp.services, attempts))
  return { verdicts, books: await readBookingCounts(database.db) }
}

/** Forty times that start every five minutes and last five minutes to an hour, so that many overlap. */
function overlappingSlots() {
  const random = seeded(11)
  return Array.from({ length: 40 }, (_, n) => ({
    start: TOMORROW + n * 5 * MINUTE,
    minutes: 5 * (1 + Math.floor(random() * 12)),
  }))
}

describeEngines('a race', (makeDatabase) => {
  test('of 1,000 clients for one time has one winner, one mail owed, and a clear no for the rest', async () => {
    const { verdicts, books } = await raceForOneSlot(await makeDatabase(), 1_000)
    expect(verdicts).toEqual({ booked: 1, slot_taken: 999 })
    expect(books).toEqual({ live: 1, overlapping: 0, confirmed: 1, told: 1, audited: 1, claims: 1 })
  }, 120_000)

  test('for times of all lengths that run into each other leaves no two that overlap', async () => {
    const database = await makeDatabase()
    await using testApp = await makeTestApp({ database })
    const slots = overlappingSlots()
    const providerId = await makeProviderWithSlots(testApp, slots)
    const random = seeded(12)
    const wishes = (await insertPatients(testApp, 400)).map((who) => {
      const slot = slots[Math.floor(random() * slots.length)]
      return { who, providerId, startsAt: iso(slot?.start ?? 0) }
    })
    const verdicts = countResults(await raceToBook(testApp.services, wishes))
    const books = await readBookingCounts(database.db)
    expect(Object.keys(verdicts).toSorted()).toEqual(['booked', 'slot_taken'])
    expect(verdicts['booked']).toBeGreaterThan(3)
    expect(books).toMatchObject({ overlapping: 0, confirmed: verdicts['booked'] })
    expect(books.claims).toBe(books.confirmed)
  }, 60_000)

  test('without the guard in the database has several winners: nothing else prevents it', async () => {
    const database = await makeDatabase()
    await dropConstraint(database)
    const { verdicts, books } = await raceForOneSlot(database, 40)
    expect(verdicts['booked']).toBeGreaterThan(1)
    expect(books.overlapping).toBeGreaterThan(0)
  })

  test('of five patients for a hold that is over has one winner', async () => {
    const database = await makeDatabase()
    await using testApp = await makeTestApp({ database })
    const providerId = await makeProviderWithSlots(testApp, [{ start: TOMORROW, minutes: 30 }])
    const crowd = await insertPatients(testApp, 6)
    const wishes = crowd.map((who) => ({ who, providerId, startsAt: iso(TOMORROW) }))
    const [first, ...rest] = wishes
    if (first === undefined) throw new Error('nobody came')
    await holdSlot(signedInAs(testApp.services, first.who), first)
    testApp.advance(15 * MINUTE)
    expect(countResults(await raceToBook(testApp.services, rest))).toEqual({
      booked: 1,
      slot_taken: 4,
    })
    expect(await readBookingCounts(database.db)).toMatchObject({
      live: 1,
      overlapping: 0,
      claims: 1,
    })
  })
})
