import { expect, test } from 'vitest'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { errorCodeOf, signInProvider } from '#tests/harness/paid-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { forgetOutcomeClaims } from './contest.ts'

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

describeEngines('answering what a patient contests', (makeDatabase) => {
  test('once, within five days; staff read it, and nobody else', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, doctor, provider } = await makeContestedNoShow(testApp)
    await testApp.drainOutbox()
    const told = testApp.mails.findLast(({ to }) => to === provider.email)
    expect(told?.text).toContain(`/doctor/visits/${id}`)
    expect(told?.text).toContain('once, until Saturday 7 March 2026, 11:00')
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

  test('is forgotten when its provider is erased, and what the patient wrote stays', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, doctor, account } = await makeContestedNoShow(testApp)
    await doctor.outcomes.answer({ id, words })
    const { db } = testApp.database
    const admin = await signInDemoStaff(testApp, 'admin')
    const read = async () => (await admin.ask('outcomes.claims', {})).data
    // Has no effect before the account is erased, or for another account.
    await forgetOutcomeClaims(testApp.services, account.id)
    const { account: other } = await makeProviderAccount(testApp)
    const erased_at = testApp.services.now()
    await db.updateTable('accounts').set({ erased_at }).where('no', '=', other.no).execute()
    await forgetOutcomeClaims(testApp.services, other.id)
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

  test('after five days it is too late, and another’s visit is not found', async () => {
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
