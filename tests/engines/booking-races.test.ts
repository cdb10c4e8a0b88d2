import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { seeded } from '#bench/data.ts'
import type { Database } from '#db/engine.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { readOutsideCalendars } from '#server/outside-calendars/read-calendars.ts'
import { makePatient, signedInAs, signInProviderCaller } from '#tests/harness/accounts.ts'
import { at, DEFAULT_HOURS, makeClinician } from '#tests/harness/clinician.ts'
import { errorCodeOf } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeOutsideCalendars } from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import {
  countResults,
  insertPatients,
  makeProviderWithSlots,
  raceToBook,
  readBookingCounts,
} from './booking-race.ts'
import { expectConsistentSlots } from './slot-invariants.ts'

const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const MINUTE = 60_000
const iso = (instant: number) => new Date(instant).toISOString()

/** The day of the clinician in the races with busy times. */
const DAY = '2026-03-10'
/** A little longer than outside calendars are kept before they are read again. */
const QUARTER_MS = 16 * MINUTE

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
  return { verdicts, counts: await readBookingCounts(database.db) }
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
  // Of 1,000 clients of several processes: process-races.test.ts.
  test('of 100 clients for one time has one winner, one email, and a clear refusal for the rest', async () => {
    const { verdicts, counts } = await raceForOneSlot(await makeDatabase(), 100)
    expect(verdicts).toEqual({ booked: 1, slot_taken: 99 })
    expect(counts).toEqual({
      live: 1,
      overlapping: 0,
      confirmed: 1,
      emails: 1,
      audited: 1,
      claims: 1,
    })
  })

  test('for overlapping times of all lengths leaves no two bookings that overlap', async () => {
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
    const counts = await readBookingCounts(database.db)
    expect(Object.keys(verdicts).toSorted()).toEqual(['booked', 'slot_taken'])
    expect(verdicts['booked']).toBeGreaterThan(3)
    expect(counts).toMatchObject({ overlapping: 0, confirmed: verdicts['booked'] })
    expect(counts.claims).toBe(counts.confirmed)
  })

  test('without the database constraint has several winners', async () => {
    const database = await makeDatabase()
    await dropConstraint(database)
    const { verdicts, counts } = await raceForOneSlot(database, 40)
    expect(verdicts['booked']).toBeGreaterThan(1)
    expect(counts.overlapping).toBeGreaterThan(0)
  })

  test('of five patients for an expired hold has one winner', async () => {
    const database = await makeDatabase()
    await using testApp = await makeTestApp({ database })
    const providerId = await makeProviderWithSlots(testApp, [{ start: TOMORROW, minutes: 30 }])
    const crowd = await insertPatients(testApp, 6)
    const wishes = crowd.map((who) => ({ who, providerId, startsAt: iso(TOMORROW) }))
    const [first, ...rest] = wishes
    if (first === undefined) throw new Error('no patients')
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

describeEngines('busy times and holds at once', (makeDatabase) => {
  test('nobody gets a busy time, every hold stays, and the rest is offered', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const { db } = testApp.database
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const { outsideCalendars } = clinician.caller
    outside.setBusy()
    await outsideCalendars.add({ name: 'Family', address: 'https://calendar.example/a.ics' })
    const busy: string[] = []
    let won = 0
    for (const time of (await clinician.free(DAY, 1)).slice(0, 10)) {
      const { caller } = await makePatient(testApp)
      const end = new Date(Date.parse(`${time}Z`) + 30 * 60_000).toISOString().slice(11, 16)
      busy.push(`${time}/${end}`)
      outside.setBusy(...busy)
      testApp.advance(QUARTER_MS)
      const [held] = await Promise.allSettled([
        caller.booking.hold({ providerId: clinician.id, startsAt: `${time}:00Z` }),
        readOutsideCalendars(testApp.services),
      ])
      const claims = await db
        .selectFrom('slot_claims')
        .select('start_at')
        .where('start_at', '=', Date.parse(`${time}Z`))
        .execute()
      if (held.status === 'fulfilled') won += 1
      else expect(held.reason).toMatchObject({ cause: { code: 'slot_not_offered' } })
      // A claim exists exactly when the slot still did.
      expect(claims).toHaveLength(held.status === 'fulfilled' ? 1 : 0)
      expect(await clinician.free(DAY, 1)).not.toContain(time)
    }
    expect(won).toBeLessThanOrEqual(10)
    const { calendars } = await outsideCalendars.list({})
    expect(calendars).toMatchObject([{ busy: 10, failure: null }])
  })

  test('a busy time is claimed by nobody', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    outside.setBusy(`${DAY}T09:10/09:20`)
    const address = 'https://calendar.example/a.ics'
    await clinician.caller.outsideCalendars.add({ name: 'Family', address })
    const tries = Array.from({ length: 6 }, async () => {
      const { caller } = await makePatient(testApp)
      return caller.booking.hold({ providerId: clinician.id, startsAt: `${DAY}T09:00:00Z` })
    })
    const done = await Promise.allSettled(tries)
    expect(done.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(await testApp.database.db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
  })

  test('a calendar is read by one of two processes, and at most five are added', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const { caller } = await makeClinician(testApp)
    outside.setBusy()
    const added = await Promise.allSettled(
      Array.from({ length: 8 }, (_, no) =>
        caller.outsideCalendars.add({ name: 'One', address: `https://calendar.example/${no}` }),
      ),
    )
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const before = outside.reads.length
    testApp.advance(QUARTER_MS)
    await Promise.all([1, 2, 3].map(() => readOutsideCalendars(testApp.services)))
    expect(outside.reads).toHaveLength(before + 5)
  })
})

describeEngines('one contested time', (makeDatabase) => {
  test('a block, the desk, an outside calendar and patients: at most one visit gets it, and it is not offered', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const { db } = testApp.database
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const { booking } = await signInProviderCaller(testApp, clinician)
    const { availability, outsideCalendars } = clinician.caller
    outside.setBusy()
    await outsideCalendars.add({ name: 'Family', address: 'https://calendar.example/a.ics' })
    const busy: string[] = []
    for (const time of ['09:00', '10:00', '11:00', '14:00', '15:00']) {
      const start = `${DAY}T${time}`
      const end = new Date(Date.parse(`${start}Z`) + 30 * 60_000).toISOString().slice(11, 16)
      busy.push(`${start}/${end}`)
      outside.setBusy(...busy)
      testApp.advance(QUARTER_MS)
      const patients = await Promise.all(Array.from({ length: 6 }, () => makePatient(testApp)))
      const { version } = await clinician.mine()
      const visits = [
        ...patients.map(({ caller }) =>
          errorCodeOf(caller.booking.hold({ providerId: clinician.id, startsAt: `${start}:00Z` })),
        ),
        ...Array.from({ length: 3 }, () =>
          errorCodeOf(
            booking.addDesk({ kind: 'walk_in', name: 'Ida Rowe', slot: { date: DAY, time } }),
          ),
        ),
      ]
      const block = { version, date: DAY, from: at(time), to: at(time) + 30 }
      const [codes] = await Promise.all([
        Promise.all(visits),
        availability.addBlock(block),
        readOutsideCalendars(testApp.services),
      ])
      const claims = await db
        .selectFrom('slot_claims')
        .select('start_at')
        .where('start_at', '=', Date.parse(`${start}Z`))
        .execute()
      // The desk may take a blocked or busy time, so one of them always gets it.
      expect(claims).toHaveLength(1)
      expect(codes.filter((code) => code === null)).toHaveLength(1)
      for (const code of codes) {
        expect([null, 'slot_taken', 'slot_not_offered', 'desk_time_taken']).toContain(code)
      }
      expect(await clinician.free(DAY, 1)).not.toContain(start)
    }
    await expectConsistentSlots(testApp.database)
  })
})
