import { expect, test } from 'vitest'
import { forgetPatient } from '#server/booking/visits/forget-patient.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import {
  errorCodeOf,
  gatewayRefunds,
  makePaidVisit,
  signInProvider,
} from '#tests/harness/paid-visit.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

const HOUR = 3_600_000
const gbp = (minor: number) => ({ minor, currency: 'GBP' as const })
const reason = 'closed' as const

function changesIn(testApp: TestApp) {
  return testApp.database.db.selectFrom('visit_changes').selectAll().orderBy('no').execute()
}

describeEngines('cancelling by the provider', (makeDatabase) => {
  test('all of it goes back however late it is, and the patient is told why and what is free next', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id } = at
    const { caller, account, provider } = await signInProvider(testApp)
    testApp.advance(71 * HOUR)
    const now = testApp.services.now()
    const { place_no: placeNo } = await testApp.database.db
      .selectFrom('slots')
      .select('place_no')
      .executeTakeFirstOrThrow()
    await testApp.database.db
      .insertInto('slots')
      .values(
        [48, 72, 24, 96].map((hours) => ({
          provider_no: provider.no,
          place_no: placeNo,
          start_at: now + hours * HOUR,
          minutes: 30,
          free: 1 as const,
        })),
      )
      .execute()
    expect(await caller.visits.providerTerms({ id })).toMatchObject({
      sequence: 0,
      refund: gbp(6_000),
      kept: gbp(0),
    })
    const note = 'Sorry: the water is off.'
    const visits = [{ id, sequence: 0, refund: gbp(6_000) }]
    expect(await caller.visits.cancelMany({ visits, reason, note })).toEqual({
      fates: [{ id, refusal: null, refund: gbp(6_000) }],
    })
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
    expect(await changesIn(testApp)).toMatchObject([
      { what: 'cancelled', by_kind: 'provider', by_id: account.id, reason, note, kept_minor: 0 },
    ])
    await testApp.drainOutbox()
    const told = testApp.mails.find(({ subject }) => subject.endsWith('is cancelled'))
    expect(told?.text).toContain('Dr Amara Okafor has had to cancel this visit. We’re sorry.')
    expect(told?.text).toContain('refunding £60.00 in full to your card')
    expect(told?.text).toContain('Reason: The practice is closed that day')
    expect(told?.text).toContain(`They wrote: ${note}`)
    // The next three, soonest first, without the cancelled time and without a fourth.
    const links = [...(told?.text.matchAll(/appointment\/\S+date=([\d-]+)&time=(\S+)/g) ?? [])]
    expect(links.map(([, date, time]) => `${date} ${time}`)).toEqual([
      '2026-03-06 08%3A00',
      '2026-03-07 08%3A00',
      '2026-03-08 08%3A00',
    ])
    expect(told?.files?.[0]?.text).toContain('METHOD:CANCEL')
    const notice = testApp.mails.find(({ subject }) => subject.startsWith('Cancelled:'))
    expect(notice?.text).toContain('You cancelled this visit.')
  })

  test('of many each has its own fate, and asked again nothing happens twice', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id, patient } = at
    const { caller, provider } = await signInProvider(testApp)
    const { db } = testApp.database
    const places = await db.selectFrom('places').select('no').execute()
    const own = { ...provider, placeNos: places.map(({ no }) => no) }
    const patientNo = patient.session.accountNo
    const second = await insertVisit(testApp, own, { patientNo, startsAt: '2026-03-06T10:00:00Z' })
    const over = await insertVisit(testApp, own, { patientNo, startsAt: '2026-02-06T10:00:00Z' })
    const other = await makeProvider(testApp)
    const foreign = await insertVisit(testApp, other, {
      patientNo,
      startsAt: '2026-03-06T10:00:00Z',
    })
    const shown = (visit: string, minor = 6_000) => ({ id: visit, sequence: 0, refund: gbp(minor) })
    const visits = [shown(id), shown(over.id), shown(foreign.id), shown(second.id, 5_000)]
    const refusals = async () =>
      (await caller.visits.cancelMany({ visits, reason })).fates.map(({ refusal }) => refusal)
    expect(await refusals()).toEqual([null, 'visit_begun', 'not_found', 'terms_changed'])
    expect(await refusals()).toEqual([
      'visit_cancelled',
      'visit_begun',
      'not_found',
      'terms_changed',
    ])
    expect(await changesIn(testApp)).toHaveLength(1)
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
  })

  test('patient and provider at once: one of them cancels, and one refund follows', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { testApp, id } = at
    const { caller } = await signInProvider(testApp)
    const shown = { id, sequence: 0, refund: gbp(6_000) }
    const told = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        if (n % 2 === 0) return errorCodeOf(at.caller.visits.cancel(shown))
        const { fates } = await caller.visits.cancelMany({ visits: [shown], reason })
        return fates[0]?.refusal
      }),
    )
    expect(told.filter((code) => code === null)).toHaveLength(1)
    expect(told.filter((code) => code === 'visit_cancelled')).toHaveLength(19)
    await runRefunds(testApp.services)
    expect(gatewayRefunds(at)).toEqual([6_000])
    expect(await changesIn(testApp)).toHaveLength(1)
  })
})

test('what is written to a patient is forgotten once they erase their account; the record stays', async () => {
  await using at = await makePaidVisit()
  const { testApp, id, patient } = at
  const { caller } = await signInProvider(testApp)
  const visits = [{ id, sequence: 0, refund: gbp(6_000) }]
  await caller.visits.cancelMany({ visits, reason, note: 'See you soon, Maya.' })
  await testApp.database.db
    .updateTable('accounts')
    .set({ erased_at: testApp.services.now() })
    .where('no', '=', patient.session.accountNo)
    .execute()
  await forgetPatient(testApp.services, patient.session.userId)
  expect(await changesIn(testApp)).toMatchObject([{ note: null, reason, refund_minor: 6_000 }])
})

test('one visit is named once, sixty at most, and a reason is one of the list', async () => {
  await using at = await makePaidVisit()
  const { caller } = await signInProvider(at.testApp)
  const one = { id: at.id, sequence: 0, refund: gbp(6_000) }
  const bad = { code: 'BAD_REQUEST' }
  await expect(caller.visits.cancelMany({ visits: [one, one], reason })).rejects.toMatchObject(bad)
  await expect(caller.visits.cancelMany({ visits: [], reason })).rejects.toMatchObject(bad)
  const note = 'x'.repeat(301)
  await expect(caller.visits.cancelMany({ visits: [one], reason, note })).rejects.toMatchObject(bad)
})
