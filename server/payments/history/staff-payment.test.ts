import { expect, test } from 'vitest'
import { StaffPayment } from '#contract/payments-staff.ts'
import { makePaidVisit, signInProvider } from '#tests/harness/paid-visit.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'

const DAY = 86_400_000
const START = Date.parse('2026-03-05T09:00:00Z')
const day = (n: number) => ({ startsAt: new Date(START + n * DAY).toISOString() })

describeEngines('the timeline of a visit for staff', (makeDatabase) => {
  test('lists the times its provider proposed, and what its patient answered', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { id, caller, testApp } = at
    const { db } = testApp.database
    const slot = await db.selectFrom('slots').selectAll().executeTakeFirstOrThrow()
    await db
      .insertInto('slots')
      .values([1, 2].map((n) => ({ ...slot, start_at: START + n * DAY, free: 1 as const })))
      .execute()
    const { caller: provider } = await signInProvider(testApp)
    const propose = async (n: number) => {
      testApp.advance(60_000)
      const note = 'We close early that day.'
      await provider.visits.propose({ id, sequence: 0, slots: [day(n)], note })
      return new Date(testApp.services.now()).toISOString()
    }
    const proposedAt = await propose(1)
    testApp.advance(60_000)
    await caller.visits.keepTime({ id, at: proposedAt })
    await propose(2)
    testApp.advance(60_000)
    await caller.visits.move({ id, sequence: 0, slot: day(2), isProposed: true })
    const read = async (role: 'admin' | 'author') => {
      const { data } = await (await signInDemoStaff(testApp, role)).ask('payments.staffPayment', {
        id,
      })
      const { timeline } = StaffPayment.parse(data)
      return timeline.filter(({ what }) => /^(?:times_proposed|time_kept|visit_moved)$/.test(what))
    }
    const entries = await read('admin')
    expect(entries.map(({ what, note }) => [what, note])).toEqual([
      ['times_proposed', 'provider'],
      ['time_kept', 'patient'],
      ['times_proposed', 'provider'],
      ['visit_moved', 'proposed'],
    ])
    expect(entries[0]?.at).toBe(proposedAt)
    expect(JSON.stringify(entries)).not.toContain('close early')
    expect((await read('author')).map(({ note }) => note)).toEqual([null, null, null, null])
  })
})

test('a move of the patient’s own is told apart from one the provider proposed', async () => {
  await using at = await makePaidVisit()
  const { id, caller, testApp } = at
  const { db } = testApp.database
  const slot = await db.selectFrom('slots').selectAll().executeTakeFirstOrThrow()
  await db
    .insertInto('slots')
    .values({ ...slot, start_at: START + DAY, free: 1 })
    .execute()
  await caller.visits.move({ id, sequence: 0, slot: day(1) })
  const { data } = await (await signInDemoStaff(testApp, 'admin')).ask('payments.staffPayment', {
    id,
  })
  const moved = StaffPayment.parse(data).timeline.find(({ what }) => what === 'visit_moved')
  expect(moved?.note).toBe('patient')
})
