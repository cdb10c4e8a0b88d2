import { expect, test } from 'vitest'
import { forgetPatient } from '#server/booking/visits/forget-patient.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { makePaidVisit, signInProvider } from '#tests/harness/paid-visit.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2026-03-05T09:00:00Z')
const iso = (at: number) => new Date(at).toISOString()

/** A paid visit past its free-cancellation deadline, and five more days to choose from. */
async function open(database?: Parameters<typeof makePaidVisit>[0]) {
  const at = await makePaidVisit(database)
  const { db } = at.testApp.database
  const slot = await db.selectFrom('slots').selectAll().executeTakeFirstOrThrow()
  const days = [1, 2, 3, 4, 5]
  await db
    .insertInto('slots')
    .values(days.map((n) => ({ ...slot, start_at: START + n * DAY, free: 1 as const })))
    .execute()
  at.testApp.advance(49 * HOUR)
  return at
}

describeEngines('moving as agreed', (makeDatabase) => {
  test('the provider’s move is told with their words, and cancelling is free until the start from then on', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { testApp, id, caller } = at
    const provider = await signInProvider(testApp)
    // The provider must not learn what else the patient has at that time.
    const other = await makeProvider(testApp, { slots: [] })
    const patientNo = at.patient.session.accountNo
    await insertVisit(testApp, other, { patientNo, startsAt: iso(START + 5 * DAY) })
    const note = 'As we said on the phone.'
    const input = { id, sequence: 0, slot: { startsAt: iso(START + 5 * DAY) }, note }
    expect(await provider.caller.visits.moveAgreed(input)).toEqual({
      id,
      sequence: 1,
      startsAt: iso(START + 5 * DAY),
      timeZone: 'Europe/London',
    })
    const { db } = testApp.database
    const changes = await db.selectFrom('visit_changes').selectAll().execute()
    expect(changes).toMatchObject([
      { what: 'moved', by_kind: 'provider', by_id: provider.account.id, note, sequence: 1 },
    ])
    await testApp.drainOutbox()
    const told = testApp.mails.find(({ subject }) => subject.endsWith('has moved'))
    expect(told?.text).toContain('Dr Amara Okafor has moved this visit, as agreed.')
    expect(told?.text).toContain(`They wrote: ${note}`)
    expect(told?.text).toContain('If you cancel: Free at any time before the visit.')
    const notice = testApp.mails.find(({ subject }) => subject.startsWith('Moved:'))
    expect(notice?.text).toContain('You moved this visit. We’ve told the patient.')
    // Free until a minute before the start; and it does not count as one of the patient's own moves.
    testApp.advance(START + 5 * DAY - 60_000 - testApp.services.now())
    expect(await caller.visits.terms({ id })).toMatchObject({ isFree: true, movesLeft: 3 })
  })

  test('a later move by the patient leaves cancelling free until the start', async () => {
    await using at = await open({ database: await makeDatabase() })
    const { testApp, id, caller } = at
    const provider = await signInProvider(testApp)
    const slot = (n: number) => ({ startsAt: iso(START + n * DAY) })
    await provider.caller.visits.moveAgreed({ id, sequence: 0, slot: slot(1) })
    await caller.visits.move({ id, sequence: 1, slot: slot(2) })
    expect((await caller.visits.terms({ id })).freeUntil).toBe(iso(START + 2 * DAY))
  })

  test.each([
    ['patient', START - DAY, 'We’ve moved this visit for you, as you asked.'],
    ['provider', START + 3 * DAY, 'We’ve moved this visit for Dr Amara Okafor.'],
  ] as const)(
    'staff move for the %s, by their terms and with a reason nobody else is told',
    async (whom, freeUntil, said) => {
      await using at = await open({ database: await makeDatabase() })
      const { testApp, id, caller } = at
      const admin = await signInDemoStaff(testApp, 'admin')
      const slot = { startsAt: iso(START + 3 * DAY) }
      const input = { id, for: whom, sequence: 0, slot, reason: 'The car broke down.' }
      expect((await admin.act('visits.moveFor', input)).data).toMatchObject({ sequence: 1 })
      expect((await admin.act('visits.moveFor', input)).code).toBe('changed_meanwhile')
      expect((await caller.visits.terms({ id })).freeUntil).toBe(iso(freeUntil))
      const { db } = testApp.database
      const changes = await db.selectFrom('visit_changes').selectAll().execute()
      expect(changes).toMatchObject([
        { by_kind: 'staff', reason: `for_${whom}`, note: 'The car broke down.' },
      ])
      await testApp.drainOutbox()
      const told = testApp.mails.find(({ subject }) => subject.endsWith('has moved'))
      expect(told?.text).toContain(said)
      expect(JSON.stringify(testApp.mails)).not.toContain('car broke down')
    },
  )
})

test('what the provider wrote goes when its patient is erased', async () => {
  await using at = await open()
  const { testApp, id } = at
  const provider = await signInProvider(testApp)
  const { db } = testApp.database
  const slot = { startsAt: iso(START + DAY) }
  const input = { id, sequence: 0, slot, note: 'As agreed.' }
  await provider.caller.visits.moveAgreed(input)
  const { id: patientId } = await db
    .selectFrom('accounts')
    .select('id')
    .where('no', '=', at.patient.session.accountNo)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('accounts')
    .set({ erased_at: testApp.services.now() })
    .where('id', '=', patientId)
    .execute()
  await forgetPatient(testApp.services, patientId)
  const changes = await db.selectFrom('visit_changes').select('note').execute()
  expect(changes).toEqual([{ note: null }])
})
