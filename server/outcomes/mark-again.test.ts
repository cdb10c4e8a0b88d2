import { expect, test } from 'vitest'
import { createCaller } from '#server/app-router.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { errorCodeOf } from '#tests/harness/paid-visit.ts'
import { makePatient, signedInAs } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const HOUR = 3_600_000

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

describeEngines('a mark after it was contested', (makeDatabase) => {
  test('taken back, it is not set again: the patient could not contest it a second time', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { patient, id, mark, outcome } = await setUp(testApp)
    await mark('no_show')
    await patient.outcomes.contest({ id, ...said })
    expect(await mark('none')).toBeNull()
    expect(await mark('no_show')).toBe('outcome_closed')
    expect(await outcome()).toBeNull()
    expect(await mark('completed')).toBeNull()
  })

  test('decided by staff, it stays as they decided', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { patient, staff, id, mark, outcome } = await setUp(testApp)
    await mark('no_show')
    await patient.outcomes.contest({ id, ...said })
    const [claim] = await staff.outcomes.claims({})
    const reason = 'The log shows them arriving.'
    await staff.outcomes.decide({ id: claim?.id ?? '', outcome: 'completed', reason })
    expect(await mark('no_show')).toBe('outcome_closed')
    expect(await mark('none')).toBe('outcome_closed')
    // The same mark changes nothing, as ever.
    expect(await mark('completed')).toBeNull()
    expect(await outcome()).toBe('completed')
  })

  test('corrected by staff, it stays as they corrected it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { staff, id, mark, outcome } = await setUp(testApp)
    await mark('no_show')
    const reason = 'The patient phoned with proof.'
    await staff.outcomes.correct({ id, outcome: 'completed', reason })
    expect(await mark('no_show')).toBe('outcome_closed')
    expect(await outcome()).toBe('completed')
  })
})
