import { expect, test } from 'vitest'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { signInProvider } from '#tests/harness/paid-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const HOUR = 3_600_000
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

describeEngines('staff correct an outcome that nobody contests', (makeDatabase) => {
  test('long after its provider may, with a reason that is kept, and the money follows once', async () => {
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

  test('what is contested is decided about instead, and a reason is needed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { id, correct, admin, patient, outcome } = await makeNoShow(testApp)
    expect(await correct({ outcome: 'completed', reason: '' })).toBe('invalid_input')
    await patient.caller.outcomes.contest({ id, says: 'was_there', words: 'I was there.' })
    expect(await correct({ outcome: 'completed' })).toBe('outcome_contested')
    expect((await admin.ask('outcomes.staffMarking', { id })).data).toMatchObject({ can: [] })
    expect(await outcome()).toBe('no_show')
  })
})
