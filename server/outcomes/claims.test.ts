import { expect, test } from 'vitest'
import { OutcomeClaims } from '#contract/outcomes.ts'
import { createCaller } from '#server/app-router.ts'
import {
  makeAccount,
  makePatient,
  makeProviderAccount,
  signedInAs,
} from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { errorCodeOf, signInProvider } from '#tests/harness/payment-fixture.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeStaff, signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'
import { eraseOutcomeClaims } from './claims.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const words = 'I called the name twice.'

/** A no-show that its patient contests. */
async function makeContestedNoShow(testApp: TestApp) {
  const provider = await makeProvider(testApp)
  const { caller, account } = await signInProvider(testApp)
  const patient = await makePatient(testApp)
  const { id } = await insertVisit(testApp, provider, {
    patientNo: patient.account.no,
    startsAt: '2026-03-02T10:00:00Z',
  })
  testApp.advance(2 * HOUR)
  await caller.outcomes.mark({ id, mark: 'no_show' })
  expect(await caller.outcomes.claimOf({ id })).toEqual({ claim: null })
  expect(await errorCodeOf(caller.outcomes.answer({ id, words }))).toBe('answer_impossible')
  await patient.caller.outcomes.contest({ id, says: 'was_there', words: 'I was there.' })
  return { id, doctor: caller, account, patient, provider }
}

test('a no-show by staff after the patient’s one claim does not invite them to contest it again', async () => {
  await using testApp = await makeTestApp()
  const { id, doctor, patient } = await makeContestedNoShow(testApp)
  const emails = async () => {
    await testApp.drainOutbox()
    return testApp.mails.filter(({ to, subject }) => {
      return to === patient.account.email && subject.startsWith('You missed')
    })
  }
  expect(await emails()).toHaveLength(1)
  await doctor.outcomes.mark({ id, mark: 'completed' })
  const admin = await signInDemoStaff(testApp, 'admin')
  const correction = { id, outcome: 'no_show', reason: 'They left before their turn.' }
  expect((await admin.act('outcomes.correct', correction)).code).toBeNull()
  const [, email] = await emails()
  expect(email?.text).toContain('Our staff have recorded that you didn’t come to this visit.')
  expect(email?.text).not.toContain('tell us by')
  expect(email?.text).not.toContain('Your provider told us')
  const contest = patient.caller.outcomes.contest({ id, says: 'was_there', words })
  expect(await errorCodeOf(contest)).toBe('contest_made')
})

test('a provider who erased the account is not emailed about a claim', async () => {
  await using testApp = await makeTestApp()
  const { provider, account } = await makeProviderAccount(testApp)
  const doctor = new Browser(testApp)
  const patient = await makePatient(testApp)
  const { id } = await insertVisit(testApp, provider, {
    patientNo: patient.account.no,
    startsAt: '2026-03-02T10:00:00Z',
  })
  testApp.advance(2 * HOUR)
  await doctor.signIn(account)
  expect((await doctor.act('outcomes.mark', { id, mark: 'no_show' })).code).toBeNull()
  expect((await doctor.act('erasure.erase', { confirm: true })).code).toBeNull()
  await testApp.drainOutbox()
  await patient.caller.outcomes.contest({ id, says: 'was_there', words: 'I was there.' })
  await testApp.drainOutbox()
  const recipients = testApp.mails.map(({ to }) => to)
  expect(recipients).toContain(patient.account.email)
  expect(recipients.filter((to) => to.endsWith('.invalid'))).toEqual([])
})

describeEngines('answering a claim', (makeDatabase) => {
  test('once, within five days, for staff only', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, doctor, provider } = await makeContestedNoShow(testApp)
    await testApp.drainOutbox()
    const email = testApp.mails.findLast(({ to }) => to === provider.email)
    expect(email?.text).toContain(`/doctor/visits/${id}`)
    expect(email?.text).toContain('once, until Saturday 7 March 2026, 11:00')
    expect((await doctor.outcomes.claimOf({ id })).claim).toEqual({
      says: 'was_there',
      decideBy: '2026-03-16T11:00:00.000Z',
      answerUntil: '2026-03-07T11:00:00.000Z',
      answer: null,
    })
    const tries = await Promise.all(
      [1, 2, 3].map(() => errorCodeOf(doctor.outcomes.answer({ id, words }))),
    )
    expect(tries.filter((code) => code === null)).toHaveLength(1)
    expect(tries.filter((code) => code === 'answer_impossible')).toHaveLength(2)
    expect((await doctor.outcomes.claimOf({ id })).claim).toMatchObject({
      answer: words,
      answerUntil: null,
    })
    const rows = await testApp.database.db.selectFrom('outcome_claims').selectAll().execute()
    await testApp.drainOutbox()
    expect(JSON.stringify(rows) + JSON.stringify(testApp.mails)).not.toContain('called the name')
    const admin = await signInDemoStaff(testApp, 'admin')
    expect((await admin.ask('outcomes.claims', {})).data).toMatchObject([{ answer: words }])
  })

  test('is deleted when its provider is erased, and the patient’s text stays', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, doctor, account } = await makeContestedNoShow(testApp)
    await doctor.outcomes.answer({ id, words })
    const { db } = testApp.database
    const admin = await signInDemoStaff(testApp, 'admin')
    const read = async () => (await admin.ask('outcomes.claims', {})).data
    // Has no effect before the account is erased, or for another account.
    await eraseOutcomeClaims(testApp.services, account.id)
    const { account: other } = await makeProviderAccount(testApp)
    const erased_at = testApp.services.now()
    await db.updateTable('accounts').set({ erased_at }).where('no', '=', other.no).execute()
    await eraseOutcomeClaims(testApp.services, other.id)
    expect(await read()).toMatchObject([{ words: 'I was there.', answer: words }])
    const browser = new Browser(testApp)
    await browser.signIn(account)
    expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
    await testApp.drainOutbox()
    expect(await read()).toMatchObject([{ words: 'I was there.', answer: '' }])
    const { answer } = await db
      .selectFrom('outcome_claims')
      .select('answer')
      .executeTakeFirstOrThrow()
    expect(answer).toBe('')
  })

  test('is refused after five days; another provider’s visit is not found', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, doctor } = await makeContestedNoShow(testApp)
    testApp.advance(5 * DAY)
    expect(await errorCodeOf(doctor.outcomes.answer({ id, words }))).toBe('answer_impossible')
    expect((await doctor.outcomes.claimOf({ id })).claim?.answerUntil).toBeNull()
    const unknown = id.replace(/.{4}$/, 'zzzz')
    expect(await errorCodeOf(doctor.outcomes.claimOf({ id: unknown }))).toBe('not_found')
    expect(await errorCodeOf(doctor.outcomes.answer({ id: unknown, words }))).toBe('not_found')
  })
})

const START = Date.parse('2026-03-02T08:00:00Z')
const MINUTE = 60_000
const at = (minutes: number) => START + minutes * MINUTE

describeEngines('a contested video visit as shown to staff', (makeDatabase) => {
  test('lists who joined and when, earliest first; nothing for a visit in person', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const { no: patientNo } = await makeAccount(testApp)
    const contested = { patientNo, isMissed: true, contested: 'I was there.' }
    const joins = [
      { by: 'provider' as const, at: at(9) },
      { by: 'patient' as const, at: at(-2) },
      { by: 'patient' as const, at: at(4) },
    ]
    const seen = { ...contested, startsAt: new Date(START).toISOString(), mode: 'video' as const }
    const { id } = await insertVisit(testApp, provider, { ...seen, joins })
    const empty = { ...seen, startsAt: new Date(at(60)).toISOString() }
    const { id: emptyId } = await insertVisit(testApp, provider, empty)
    const inPerson = { ...contested, startsAt: new Date(at(-60)).toISOString() }
    const { id: inPersonId } = await insertVisit(testApp, provider, inPerson)
    const admin = await signInDemoStaff(testApp, 'admin')
    const claims = OutcomeClaims.parse((await admin.ask('outcomes.claims', {})).data)
    const joinsOf = (visitId: string) => claims.find((claim) => claim.visitId === visitId)?.joins
    expect(joinsOf(id)).toEqual([
      { by: 'patient', at: new Date(at(-2)).toISOString() },
      { by: 'patient', at: new Date(at(4)).toISOString() },
      { by: 'provider', at: new Date(at(9)).toISOString() },
    ])
    expect(joinsOf(emptyId)).toEqual([])
    expect(joinsOf(inPersonId)).toBeNull()
  })
})

/** A visit that began an hour ago, with callers for its provider, its patient and staff. */
async function setUp(testApp: TestApp) {
  const { account, provider } = await makeProviderAccount(testApp)
  const base = signedInAs(testApp.services, account)
  const session = { ...base.session, kind: 'provider' as const }
  const doctor = createCaller({ ...base, viewer: { kind: 'provider', id: provider.id }, session })
  const { caller: patient, account: person } = await makePatient(testApp)
  const { id } = await insertVisit(testApp, provider, {
    patientNo: person.no,
    startsAt: '2026-03-02T10:00:00Z',
  })
  const member = await makeStaff(testApp, 'admin')
  const desk = signedInAs(testApp.services, member)
  const staff = createCaller({
    ...desk,
    viewer: { kind: 'staff', id: member.id, role: 'admin' },
    session: { ...desk.session, kind: 'staff' },
  })
  testApp.advance(2 * HOUR)
  const mark = (kind: 'no_show' | 'completed' | 'none') =>
    errorCodeOf(doctor.outcomes.mark({ id, mark: kind }))
  const outcome = async () => (await patient.booking.visit({ id })).outcome.outcome
  return { doctor, patient, staff, id, mark, outcome }
}

const said = { says: 'was_there' as const, words: 'I was in the waiting room.' }

describeEngines('a no-show mark after it was contested', (makeDatabase) => {
  test('once removed, it cannot be set again', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { patient, id, mark, outcome } = await setUp(testApp)
    await mark('no_show')
    await patient.outcomes.contest({ id, ...said })
    expect(await mark('none')).toBeNull()
    expect(await mark('no_show')).toBe('outcome_closed')
    expect(await outcome()).toBeNull()
    expect(await mark('completed')).toBeNull()
  })

  test('is final once staff have decided', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { patient, staff, id, mark, outcome } = await setUp(testApp)
    await mark('no_show')
    await patient.outcomes.contest({ id, ...said })
    const [claim] = await staff.outcomes.claims({})
    const reason = 'The log shows them arriving.'
    await staff.outcomes.decide({ id: claim?.id ?? '', outcome: 'completed', reason })
    expect(await mark('no_show')).toBe('outcome_closed')
    expect(await mark('none')).toBe('outcome_closed')
    // The same mark changes nothing, as always.
    expect(await mark('completed')).toBeNull()
    expect(await outcome()).toBe('completed')
  })

  test('is final once staff have corrected it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { staff, id, mark, outcome } = await setUp(testApp)
    await mark('no_show')
    const reason = 'The patient phoned with proof.'
    await staff.outcomes.correct({ id, outcome: 'completed', reason })
    expect(await mark('no_show')).toBe('outcome_closed')
    expect(await outcome()).toBe('completed')
  })
})

const reason = 'The desk confirms it.'

/** A visit that was marked as a no-show days ago, and an admin. */
async function makeNoShow(testApp: TestApp, hoursLater = 0) {
  const provider = await makeProvider(testApp)
  const { caller: doctor } = await signInProvider(testApp)
  const patient = await makePatient(testApp)
  const startsAt = '2026-03-02T10:00:00Z'
  const { id } = await insertVisit(testApp, provider, { patientNo: patient.account.no, startsAt })
  testApp.advance(2 * HOUR)
  await doctor.outcomes.mark({ id, mark: 'no_show' })
  const outcome = async () => (await patient.caller.booking.visit({ id })).outcome.outcome
  testApp.advance(hoursLater * HOUR)
  const admin = await signInDemoStaff(testApp, 'admin')
  const correct = async (input: object) =>
    (await admin.act('outcomes.correct', { id, reason, ...input })).code
  return { id, doctor, patient, admin, correct, outcome }
}

describeEngines('staff correcting an uncontested outcome', (makeDatabase) => {
  test('long after its provider may, with a recorded reason, and one refund', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, correct, admin, outcome } = await makeNoShow(testApp, 72)
    expect((await admin.ask('outcomes.staffMarking', { id })).data).toMatchObject({
      outcome: 'no_show',
      can: ['completed', 'not_held'],
      refundable: { minor: 6_000 },
    })
    expect(await correct({ outcome: 'completed' })).toBeNull()
    expect(await outcome()).toBe('completed')
    expect(await correct({ outcome: 'not_held', refund: 1 })).toBe('outcome_refund_changed')
    const tries = await Promise.all(
      [1, 2, 3].map(() => correct({ outcome: 'not_held', refund: 6_000 })),
    )
    // Repeats change nothing.
    expect(tries).toEqual([null, null, null])
    expect(await correct({ outcome: 'completed' })).toBe('outcome_final')
    const { db } = testApp.database
    const refunds = await db.selectFrom('refunds').select(['reason', 'amount_minor']).execute()
    expect(refunds).toEqual([{ reason: 'not_held', amount_minor: 6_000 }])
    const changes = await db.selectFrom('visit_changes').selectAll().execute()
    expect(changes).toMatchObject([
      { what: 'corrected', by_kind: 'staff', reason: 'completed', note: reason },
      { what: 'corrected', by_kind: 'staff', reason: 'not_held', note: reason },
    ])
    const audit = db.selectFrom('audit').select('details').where('action', '=', 'visit.corrected')
    expect(await audit.execute()).toHaveLength(2)
  })

  test('a contested visit has to be decided instead, and a reason is required', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, correct, admin, patient, outcome } = await makeNoShow(testApp)
    expect(await correct({ outcome: 'completed', reason: '' })).toBe('invalid_input')
    await patient.caller.outcomes.contest({ id, says: 'was_there', words: 'I was there.' })
    expect(await correct({ outcome: 'completed' })).toBe('outcome_contested')
    expect((await admin.ask('outcomes.staffMarking', { id })).data).toMatchObject({ can: [] })
    expect(await outcome()).toBe('no_show')
  })
})
