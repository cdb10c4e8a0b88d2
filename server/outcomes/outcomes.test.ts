import { expect, test } from 'vitest'
import { createCaller } from '#server/app-router.ts'
import { hasVisited } from '#server/booking/store.ts'
import { refund } from '#server/payments/refunds/refund.ts'
import { makePatient, makeProviderAccount, signedInAs } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertRefund, insertVisit } from '#tests/harness/visits.ts'
import { completeVisits, settleNoShows } from './outcomes.ts'
import { listDueNoShows } from './store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STARTS = '2026-03-02T10:00:00Z'

/** A visit at 10:00; the test clock is at 09:00. */
async function setUp(testApp: TestApp) {
  const { account, provider } = await makeProviderAccount(testApp)
  const base = signedInAs(testApp.services, account)
  const session = { ...base.session, kind: 'provider' as const }
  const viewer = { kind: 'provider' as const, id: provider.id }
  const doctor = createCaller({ ...base, viewer, session })
  const { caller: patient, account: person, ctx } = await makePatient(testApp)
  const { id, no, paymentNo } = await insertVisit(testApp, provider, {
    patientNo: person.no,
    startsAt: STARTS,
  })
  const { db } = testApp.database
  const row = () =>
    db
      .selectFrom('bookings')
      .select(['outcome', 'outcome_at', 'arrived_at'])
      .where('no', '=', no)
      .executeTakeFirstOrThrow()
  const refunds = () =>
    db.selectFrom('refunds').select(['reason', 'amount_minor as minor', 'state']).execute()
  const subjects = (to: string) =>
    testApp.mails.filter((mail) => mail.to === to).map(({ subject }) => subject)
  return { doctor, patient, person, ctx, provider, id, no, paymentNo, row, refunds, subjects }
}

function asStaff(testApp: TestApp, account: { no: number; id: string }) {
  const base = signedInAs(testApp.services, account)
  const viewer = { kind: 'staff' as const, id: account.id, role: 'admin' as const }
  return createCaller({ ...base, viewer, session: { ...base.session, kind: 'staff' as const } })
}

describeEngines('the outcome of a visit', (makeDatabase) => {
  test('after an uncontested no-show the part that is not kept is refunded, once', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, id, no, refunds } = await setUp(testApp)
    const { db } = testApp.database
    await db.updateTable('bookings').set({ no_show_percent: 50 }).where('no', '=', no).execute()
    testApp.advance(2 * HOUR)
    await doctor.outcomes.mark({ id, mark: 'no_show' })
    testApp.advance(7 * DAY - MINUTE)
    await settleNoShows(testApp.services)
    expect(await refunds()).toEqual([])
    testApp.advance(MINUTE)
    await Promise.all([settleNoShows(testApp.services), settleNoShows(testApp.services)])
    await settleNoShows(testApp.services)
    expect(await refunds()).toMatchObject([{ reason: 'no_show', minor: 3_000 }])
  })

  test('a contested no-show waits for the decision, and a fully kept fee is not refunded', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, patient, id, no, refunds } = await setUp(testApp)
    const { db } = testApp.database
    await db.updateTable('bookings').set({ no_show_percent: 50 }).where('no', '=', no).execute()
    testApp.advance(2 * HOUR)
    await doctor.outcomes.mark({ id, mark: 'no_show' })
    await patient.outcomes.contest({ id, says: 'was_there', words: 'I was in the waiting room.' })
    testApp.advance(8 * DAY)
    await settleNoShows(testApp.services)
    expect(await refunds()).toEqual([])
    const decided = { state: 'rejected' as const, decided_at: testApp.services.now() }
    await db.updateTable('outcome_claims').set(decided).execute()
    await db.updateTable('bookings').set({ no_show_percent: 100 }).where('no', '=', no).execute()
    await settleNoShows(testApp.services)
    expect(await refunds()).toEqual([])
    await db
      .updateTable('bookings')
      .set({ late_cancel_percent: 0, no_show_percent: 0 })
      .where('no', '=', no)
      .execute()
    await settleNoShows(testApp.services)
    expect(await refunds()).toMatchObject([{ reason: 'no_show', minor: 6_000 }])
  })

  test('arrived, completed and removed, each in its time', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, id, row } = await setUp(testApp)
    const tooEarly = doctor.outcomes.mark({ id, mark: 'no_show' })
    await expect(tooEarly).rejects.toThrow('It’s too early for that.')
    const now = testApp.services.now()
    expect(await doctor.outcomes.mark({ id, mark: 'arrived' })).toMatchObject({
      outcome: null,
      arrivedAt: '2026-03-02T09:00:00.000Z',
    })
    testApp.advance(HOUR)
    expect(await doctor.outcomes.mark({ id, mark: 'completed' })).toMatchObject({
      outcome: 'completed',
    })
    expect(await row()).toEqual({
      outcome: 'completed',
      outcome_at: now + HOUR,
      arrived_at: now,
    })
    await doctor.outcomes.mark({ id, mark: 'none' })
    expect(await row()).toEqual({ outcome: null, outcome_at: null, arrived_at: null })
    const { visits } = await doctor.booking.today({})
    expect(visits[0]?.marking.can).toEqual(['arrived', 'completed', 'not_held'])
  })

  test('an unmarked visit is completed 48 hours after its end, and then final for its provider', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, id, row } = await setUp(testApp)
    testApp.advance(90 * MINUTE + 48 * HOUR - 1)
    await completeVisits(testApp.services)
    expect((await row()).outcome).toBeNull()
    testApp.advance(1)
    await Promise.all([completeVisits(testApp.services), completeVisits(testApp.services)])
    expect((await row()).outcome).toBe('completed')
    await expect(doctor.outcomes.mark({ id, mark: 'no_show' })).rejects.toThrow(
      'can no longer be changed',
    )
  })

  test('a visit not held is refunded once, and final', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, id, row, refunds } = await setUp(testApp)
    testApp.advance(2 * HOUR)
    const wrong = doctor.outcomes.mark({ id, mark: 'not_held', refund: 5_000 })
    await expect(wrong).rejects.toThrow('The refund has changed.')
    const { refundable } = await doctor.booking.providerVisit({ id })
    expect(refundable).toEqual({ minor: 6_000, currency: 'GBP' })
    const mark = { id, mark: 'not_held' as const, refund: 6_000 }
    const both = await Promise.allSettled([doctor.outcomes.mark(mark), doctor.outcomes.mark(mark)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await refunds()).toEqual([{ reason: 'not_held', minor: 6_000, state: 'due' }])
    expect((await row()).outcome).toBe('not_held')
    for (const other of ['completed', 'none'] as const) {
      const again = doctor.outcomes.mark({ id, mark: other })
      await expect(again).rejects.toThrow('is refunded')
    }
  })

  test('a concurrent refund by staff leaves only the rest to refund', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, id, paymentNo, refunds } = await setUp(testApp)
    testApp.advance(2 * HOUR)
    const { id: paymentId } = await testApp.database.db
      .selectFrom('payments')
      .select('id')
      .where('no', '=', paymentNo ?? 0)
      .executeTakeFirstOrThrow()
    const staff = await makeStaff(testApp, 'admin')
    const base = signedInAs(testApp.services, staff)
    const desk = {
      ...base,
      viewer: { kind: 'staff' as const, id: staff.id, role: 'admin' as const },
    }
    const key = '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d'
    const part = { paymentId, minor: 2_000, reason: 'Late.', key, releaseTime: false }
    await Promise.allSettled([
      refund(desk, part),
      doctor.outcomes.mark({ id, mark: 'not_held', refund: 6_000 }),
      doctor.outcomes.mark({ id, mark: 'not_held', refund: 4_000 }),
    ])
    const given = (await refunds()).reduce((sum, { minor }) => sum + minor, 0)
    expect([2_000, 6_000]).toContain(given)
    expect(given).toBeLessThanOrEqual(6_000)
  })

  test('an absent patient is emailed, can contest once, and staff decide', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { doctor, patient, person, provider, id, row, refunds, subjects } = await setUp(testApp)
    testApp.advance(2 * HOUR)
    await doctor.outcomes.mark({ id, mark: 'no_show' })
    await testApp.drainOutbox()
    expect(subjects(person.email)).toEqual(['You missed your visit to Dr Amara Okafor'])
    expect(testApp.mails[0]?.text).toContain('Monday 9 March 2026, 11:00 (London time, GMT)')
    expect(await refunds()).toEqual([])
    const { outcome: seen } = await patient.booking.visit({ id })
    expect(seen).toEqual({
      outcome: 'no_show',
      contestUntil: '2026-03-09T11:00:00.000Z',
      claim: null,
    })
    const words = 'The door was locked, and nobody answered the bell.'
    const said = { id, says: 'not_held' as const, words }
    const tries = await Promise.allSettled([
      patient.outcomes.contest(said),
      patient.outcomes.contest(said),
    ])
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await testApp.drainOutbox()
    expect(subjects(provider.email)).toEqual(['A patient contests a missed visit'])
    const claims = await testApp.database.db.selectFrom('outcome_claims').selectAll().execute()
    expect(JSON.stringify(claims) + JSON.stringify(testApp.mails)).not.toContain('door was locked')
    const staff = asStaff(testApp, await makeStaff(testApp, 'admin'))
    expect(await staff.outcomes.claimCount({})).toEqual({ open: 1 })
    const [claim] = await staff.outcomes.claims({})
    expect(claim).toMatchObject({ says: 'not_held', words, refundable: { minor: 6_000 } })
    const decision = {
      id: claim?.id ?? '',
      outcome: 'not_held' as const,
      refund: 6_000,
      reason: 'The practice was closed.',
    }
    await staff.outcomes.decide(decision)
    await expect(staff.outcomes.decide(decision)).rejects.toThrow('already decided about this')
    expect((await row()).outcome).toBe('not_held')
    expect(await refunds()).toEqual([{ reason: 'not_held', minor: 6_000, state: 'due' }])
    await testApp.drainOutbox()
    expect(subjects(person.email).at(-1)).toBe('Our decision about a missed visit')
    expect(subjects(provider.email).at(-1)).toBe('Our decision about a missed visit')
    expect((await patient.booking.visit({ id })).outcome.claim).toBe('upheld')
  })
})

test('a patient can contest within seven days, only their own visits', async () => {
  await using testApp = await makeTestApp()
  const { doctor, patient, id } = await setUp(testApp)
  const said = { id, says: 'was_there' as const, words: 'I was there.' }
  await expect(patient.outcomes.contest(said)).rejects.toThrow('can no longer be contested')
  testApp.advance(2 * HOUR)
  await doctor.outcomes.mark({ id, mark: 'no_show' })
  const other = await makePatient(testApp)
  await expect(other.caller.outcomes.contest(said)).rejects.toThrow('couldn’t find')
  testApp.advance(7 * DAY)
  await expect(patient.outcomes.contest(said)).rejects.toThrow('can no longer be contested')
})

test('a mark removed before its email is not emailed, and closes the claim', async () => {
  await using testApp = await makeTestApp()
  const { doctor, patient, person, id, subjects } = await setUp(testApp)
  testApp.advance(2 * HOUR)
  await doctor.outcomes.mark({ id, mark: 'no_show' })
  await doctor.outcomes.mark({ id, mark: 'arrived' })
  await testApp.drainOutbox()
  expect(subjects(person.email)).toEqual([])
  await doctor.outcomes.mark({ id, mark: 'no_show' })
  await patient.outcomes.contest({ id, says: 'was_there', words: 'I was there.' })
  await doctor.outcomes.mark({ id, mark: 'completed' })
  await testApp.drainOutbox()
  expect(subjects(person.email).at(-1)).toBe('Our decision about a missed visit')
  const admin = asStaff(testApp, await makeStaff(testApp, 'admin'))
  expect(await admin.outcomes.claims({})).toEqual([])
  expect((await patient.booking.visit({ id })).outcome).toMatchObject({ claim: 'settled' })
})

test('a missed visit does not count as an earlier visit for the follow-up fee', async () => {
  await using testApp = await makeTestApp()
  const { doctor, id, person, provider } = await setUp(testApp)
  const pair = { patientNo: person.no, providerNo: provider.no }
  const { db } = testApp.database
  testApp.advance(2 * HOUR)
  expect(await hasVisited(db, pair, testApp.services.now())).toBe(true)
  await doctor.outcomes.mark({ id, mark: 'no_show' })
  expect(await hasVisited(db, pair, testApp.services.now())).toBe(false)
  await doctor.outcomes.mark({ id, mark: 'completed' })
  expect(await hasVisited(db, pair, testApp.services.now())).toBe(true)
})

test('another’s visit is not found, and an erased patient’s text is deleted', async () => {
  await using testApp = await makeTestApp()
  const { doctor, patient, person, id } = await setUp(testApp)
  testApp.advance(2 * HOUR)
  const stranger = await setUp(testApp)
  const foreign = stranger.doctor.outcomes.mark({ id, mark: 'completed' })
  await expect(foreign).rejects.toThrow('couldn’t find')
  await doctor.outcomes.mark({ id, mark: 'no_show' })
  await patient.outcomes.contest({ id, says: 'was_there', words: 'I was there.' })
  const { db } = testApp.database
  await db.updateTable('accounts').set({ erased_at: 1 }).where('no', '=', person.no).execute()
  const ctx = testApp.context()
  await ctx.transaction((tx) => tx.outbox.add('account.erased', { userId: person.id }))
  await testApp.drainOutbox()
  const [claim] = await db.selectFrom('outcome_claims').select('words').execute()
  expect(claim?.words).toBe('')
  const admin = asStaff(testApp, await makeStaff(testApp, 'admin'))
  expect((await admin.outcomes.claims({}))[0]).toMatchObject({ patientName: null, words: '' })
})

test('the database accepts outcomes for booked visits only', async () => {
  await using testApp = await makeTestApp()
  const { no } = await setUp(testApp)
  const bookings = () => testApp.database.db.updateTable('bookings').where('no', '=', no)
  const both = { outcome: 'no_show' as const, outcome_at: 1 }
  await expect(
    bookings()
      .set({ ...both, arrived_at: 1 })
      .execute(),
  ).rejects.toThrow(/CHECK constraint/)
  await expect(bookings().set({ outcome: 'completed' }).execute()).rejects.toThrow(
    /CHECK constraint/,
  )
  await bookings().set(both).execute()
  await expect(bookings().set({ state: 'cancelled' }).execute()).rejects.toThrow(/CHECK constraint/)
})

/** A missed visit of £60.00, of which half is kept, and refunds of it made before. */
async function makeMissed(
  testApp: TestApp,
  before: { taken?: number; refunded: number; reason: 'staff' | 'overpaid' },
) {
  const { account, provider } = await makeProviderAccount(testApp)
  const base = signedInAs(testApp.services, account)
  const session = { ...base.session, kind: 'provider' as const }
  const doctor = createCaller({ ...base, viewer: { kind: 'provider', id: provider.id }, session })
  const { account: person } = await makePatient(testApp)
  const { id, no, paymentNo } = await insertVisit(testApp, provider, {
    patientNo: person.no,
    startsAt: '2026-03-02T10:00:00Z',
  })
  const { db } = testApp.database
  await db.updateTable('bookings').set({ no_show_percent: 50 }).where('no', '=', no).execute()
  await db
    .updateTable('payments')
    .set({ taken_minor: before.taken ?? null, taken_currency: before.taken ? 'GBP' : null })
    .execute()
  const refunded = { reason: before.reason, currency: 'GBP' } as const
  await insertRefund(testApp, { no: paymentNo, minor: before.refunded }, refunded)
  testApp.advance(2 * HOUR)
  await doctor.outcomes.mark({ id, mark: 'no_show' })
  await testApp.drainOutbox()
  const email = testApp.mails.find(({ to }) => to === person.email)?.text ?? ''
  testApp.advance(7 * 24 * HOUR)
  await settleNoShows(testApp.services)
  const refunds = async () => {
    const query = db.selectFrom('refunds').select('amount_minor').where('reason', '=', 'no_show')
    return (await query.execute()).map(({ amount_minor: minor }) => minor)
  }
  const listed = async () => {
    const wanted = { markedBefore: testApp.services.now(), after: null, limit: 10 }
    return (await listDueNoShows(db, wanted)).map((due) => due.no === no)
  }
  return { email, refunds: await refunds(), readRefunds: refunds, listed }
}

describeEngines('the money of a missed visit', (makeDatabase) => {
  test('an amount staff have refunded is not promised again', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const missed = await makeMissed(testApp, { refunded: 2_000, reason: 'staff' })
    expect(missed.refunds).toEqual([1_000])
    expect(missed.email).toContain('£30.00 of the payment isn’t refunded.')
    expect(missed.email).toContain('We’ll refund £10.00 after')
  })

  test('after a full refund nothing is kept', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const missed = await makeMissed(testApp, { refunded: 6_000, reason: 'staff' })
    expect(missed.refunds).toEqual([])
    expect(missed.email).not.toContain('£')
  })

  test('with nothing left to refund it is not looked at every hour, unless a refund of staff fails', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const missed = await makeMissed(testApp, { refunded: 3_000, reason: 'staff' })
    expect(missed.refunds).toEqual([])
    expect(await missed.listed()).toEqual([])
    const { db } = testApp.database
    // One penny more than what is kept.
    await db.updateTable('refunds').set({ amount_minor: 2_999 }).execute()
    expect(await missed.listed()).toEqual([true])
    await db.updateTable('refunds').set({ amount_minor: 3_000, state: 'failed' }).execute()
    expect(await missed.listed()).toEqual([true])
    await settleNoShows(testApp.services)
    expect(await missed.readRefunds()).toEqual([3_000])
    expect(await missed.listed()).toEqual([])
  })

  test('the share is of the price, not of an overpayment', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const missed = await makeMissed(testApp, { taken: 8_000, refunded: 2_000, reason: 'overpaid' })
    expect(missed.refunds).toEqual([3_000])
    expect(missed.email).toContain('£30.00 of the payment isn’t refunded.')
    expect(missed.email).toContain('We’ll refund £30.00 after')
  })
})
