import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { createCaller } from '#server/app-router.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { insertPatients, makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { expectConsistentSlots } from '#tests/engines/slot-invariants.ts'
import { signedInAs } from '#tests/harness/accounts.ts'
import {
  errorCodeOf,
  gatewayRefunds,
  linkIn,
  makePaidVisit,
  makeVisitorCaller,
} from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit, changesIn, offerNextDays, offerTimes } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const uuid = (n: number) => `0b8f7c3e-5a44-4f0e-9d57-${String(n).padStart(12, '0')}`
const iso = (at: number) => new Date(at).toISOString()

/** Patients with visits an hour apart; the times after them are free. */
async function makeVisits(database: Database, count: number, free: number) {
  const testApp = await makeTestApp({ database })
  const starts = Array.from({ length: count + free }, (_, n) => TOMORROW + n * HOUR)
  const providerId = await makeProviderWithSlots(
    testApp,
    starts.map((start) => ({ start, minutes: 30 })),
  )
  const patients = (await insertPatients(testApp, count + 1)).map((who) =>
    signedInAs(testApp.services, who),
  )
  const stranger = patients.pop()
  if (stranger === undefined) throw new Error('There is no patient.')
  const visits: { id: string; start: number; caller: ReturnType<typeof createCaller> }[] = []
  for (const [n, patient] of patients.entries()) {
    const start = starts[n] ?? 0
    const id = await bookVisit(patient, { providerId, startsAt: iso(start) })
    visits.push({ id, start, caller: createCaller(patient) })
  }
  return {
    testApp,
    providerId,
    starts,
    visits,
    stranger: createCaller(stranger),
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

describeEngines('races of moves:', (makeDatabase) => {
  test('fifty concurrent moves, cancellations and refunds: one result, one refund', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { caller, id, testApp, payment } = at
    const { db } = testApp.database
    const slot = await db.selectFrom('slots').selectAll().executeTakeFirstOrThrow()
    const starts = Array.from({ length: 20 }, (_, n) => slot.start_at + (n + 1) * HOUR)
    await offerTimes(testApp, starts)
    const admin = await signInDemoStaff(testApp, 'admin')
    const { sequence, refund } = await caller.visits.terms({ id })
    const byStaff = (n: number) => ({
      paymentId: payment.id,
      minor: 6_000,
      reason: 'The practice was closed that day.',
      key: uuid(n),
      releaseTime: true,
    })
    const results = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        if (n % 3 === 0) return errorCodeOf(caller.visits.cancel({ id, sequence, refund }))
        if (n % 3 === 1) return (await admin.act('payments.refund', byStaff(n))).code
        const startsAt = iso(starts[n % 20] ?? 0)
        return errorCodeOf(caller.visits.move({ id, sequence, slot: { startsAt } }))
      }),
    )
    // A move and then a refund by staff, which needs no sequence; or one of the two kinds of cancellation.
    const done = results.filter((code) => code === null).length
    const changes = await changesIn(testApp)
    expect(changes.map(({ what }) => what)).toEqual(
      done === 2 ? ['moved', 'cancelled'] : ['cancelled'],
    )
    await runRefunds(testApp.services)
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
    const rows = await db.selectFrom('bookings').select(['state', 'sequence']).execute()
    expect(rows).toEqual([{ state: 'cancelled', sequence: done }])
    await expectConsistentSlots(testApp.database)
    await testApp.drainOutbox()
    const emails = testApp.mails.filter(({ subject }) =>
      /^(?:Cancelled|Moved): your visit/.test(subject),
    )
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Cancelled: your visit to Dr Amara Okafor',
    ])
  })

  test('thirty concurrent moves and cancellations, by link and from the account: one succeeds', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { id, caller, testApp } = at
    await offerNextDays(testApp, 9)
    const link = linkIn(at)
    const { startsAt } = await caller.booking.visit({ id })
    const { sequence, refund } = await caller.visits.terms({ id })
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const slot = { startsAt: iso(Date.parse(startsAt) + ((n % 9) + 1) * 24 * HOUR) }
        const calls = makeVisitorCaller(at)
        if (n % 3 === 0) return errorCodeOf(calls.moveByLink({ ...link, sequence, slot }))
        if (n % 3 === 1) return errorCodeOf(caller.visits.move({ id, sequence, slot }))
        return errorCodeOf(calls.cancelByLink({ ...link, sequence, refund }))
      }),
    )
    expect(results.filter((code) => code === null)).toHaveLength(1)
    const [change, ...more] = await changesIn(testApp)
    expect(more).toEqual([])
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual(change?.what === 'cancelled' ? [6_000] : [])
    const claims = await testApp.database.db.selectFrom('slot_claims').selectAll().execute()
    expect(claims).toHaveLength(change?.what === 'cancelled' ? 0 : 1)
  })

  test('against a hold of the same time one wins, and a losing move keeps the old time', async () => {
    await using at = await makeVisits(await makeDatabase(), 8, 8)
    const outcomes = await Promise.all(
      at.visits.map(async ({ id, caller }, n) => {
        const startsAt = iso(at.starts[8] ?? 0)
        const move = () => errorCodeOf(caller.visits.move({ id, sequence: 0, slot: { startsAt } }))
        const hold = () =>
          errorCodeOf(at.stranger.booking.hold({ providerId: at.providerId, startsAt }))
        return n === 3 ? Promise.all([hold(), move()]) : move()
      }),
    )
    const codes = outcomes.flat()
    expect(codes.filter((code) => code === null)).toHaveLength(1)
    expect(codes.filter((code) => code === 'slot_taken')).toHaveLength(8)
    await expectConsistentSlots(at.testApp.database)
  })

  test('two visits swapping times: no deadlock, and both keep theirs', async () => {
    await using at = await makeVisits(await makeDatabase(), 6, 0)
    const codes = await Promise.all(
      at.visits.map(({ id, caller }, n) => {
        const other = at.visits[n % 2 === 0 ? n + 1 : n - 1]
        const slot = { startsAt: iso(other?.start ?? 0) }
        return errorCodeOf(caller.visits.move({ id, sequence: 0, slot }))
      }),
    )
    expect(codes).toEqual(Array.from({ length: 6 }, () => 'slot_taken'))
    await expectConsistentSlots(at.testApp.database)
  })

  test('a chain of moves into each other’s old times: each is complete or keeps its time', async () => {
    await using at = await makeVisits(await makeDatabase(), 12, 1)
    const codes = await Promise.all(
      at.visits.map(({ id, caller }, n) => {
        const slot = { startsAt: iso(at.starts[n + 1] ?? 0) }
        return errorCodeOf(caller.visits.move({ id, sequence: 0, slot }))
      }),
    )
    expect(codes.at(-1)).toBeNull()
    expect(new Set(codes.filter((code) => code !== null)).size).toBeLessThanOrEqual(1)
    await expectConsistentSlots(at.testApp.database)
    const bookings = await at.testApp.database.db
      .selectFrom('bookings')
      .select('sequence')
      .execute()
    const moved = bookings.filter(({ sequence }) => sequence === 1)
    expect(moved).toHaveLength(codes.filter((code) => code === null).length)
  })
})
