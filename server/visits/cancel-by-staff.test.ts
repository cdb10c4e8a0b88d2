import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { gatewayRefunds, makePaidVisit } from '#tests/harness/paid-visit.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'

const HOUR = 3_600_000
const gbp = (minor: number) => ({ minor, currency: 'GBP' as const })
const reason = 'They called: the car broke down.'

/** A visit past its free-cancellation deadline, and an admin. */
async function open(database?: Database) {
  const at = await makePaidVisit(database === undefined ? {} : { database })
  at.testApp.advance(49 * HOUR)
  const admin = await signInDemoStaff(at.testApp, 'admin')
  return { ...at, admin, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() }
}

describeEngines('cancelling by staff for somebody', (makeDatabase) => {
  test.each([
    ['patient', 3_000, 'We’ve cancelled this visit for you, as you asked.'],
    ['provider', 6_000, 'We’ve cancelled this visit for Dr Amara Okafor. We’re sorry.'],
  ] as const)('for the %s what they would be shown goes back', async (whom, minor, said) => {
    await using at = await open(await makeDatabase())
    const { admin, id, testApp } = at
    const terms = await admin.ask('visits.staffTerms', { id, for: whom })
    expect(terms.data).toMatchObject({ sequence: 0, refund: gbp(minor) })
    const input = { id, for: whom, sequence: 0, refund: gbp(minor), reason }
    const wrong = await admin.act('visits.cancelFor', { ...input, refund: gbp(1) })
    expect(wrong.code).toBe('terms_changed')
    expect((await admin.act('visits.cancelFor', input)).data).toEqual({
      id,
      refusal: null,
      refund: gbp(minor),
    })
    expect((await admin.act('visits.cancelFor', input)).code).toBe('visit_cancelled')
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([minor])
    const changes = await testApp.database.db.selectFrom('visit_changes').selectAll().execute()
    expect(changes).toMatchObject([
      { by_kind: 'staff', reason: `for_${whom}`, note: reason, refund_minor: minor },
    ])
    await testApp.drainOutbox()
    const told = testApp.mails.find(({ subject }) => subject.endsWith('is cancelled'))
    expect(told?.text).toContain(said)
    expect(JSON.stringify(testApp.mails)).not.toContain('car broke down')
  })
})

test('more than admins may give back is a superuser’s here as well', async () => {
  await using at = await open()
  const { admin, id, testApp } = at
  const { db } = testApp.database
  // As much as an expensive visit costs: the limit applies to the amount paid.
  await db.updateTable('payments').set({ taken_minor: 50_000, taken_currency: 'GBP' }).execute()
  const input = { id, for: 'provider', sequence: 0, refund: gbp(50_000), reason }
  expect((await admin.act('visits.cancelFor', input)).code).toBe('refund_over_limit')
  expect(await db.selectFrom('visit_changes').selectAll().execute()).toEqual([])
})
