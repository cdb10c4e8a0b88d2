import { expect, test } from 'vitest'
import { ProviderVisit } from '#contract/booking-provider.ts'
import { noticeEmail } from '#server/booking/templates.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { insertVisit } from '#tests/harness/insert-visit.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { cancelledNotice } from './cancelled-templates.ts'
import { findVisit } from './visit-store.ts'

async function open(testApp: TestApp) {
  const { provider } = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp, {
    email: 'maya@mail.example',
    // Turns 38 tomorrow.
    date_of_birth: '1988-03-03',
  })
  const browser = new Browser(testApp)
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const visit = (startsAt: string, rest: Partial<Parameters<typeof insertVisit>[2]> = {}) =>
    insertVisit(testApp, provider, { patientNo: patient.no, startsAt, ...rest })
  return { provider, patient, browser, visit }
}

describeEngines('a visit its provider opens', (makeDatabase) => {
  test('weeks ahead it says when, where, who, how to reach them, what was paid and what was before', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, visit } = await open(testApp)
    const past = await visit('2025-11-03T10:00:00Z')
    const called = await visit('2026-03-09T10:00:00Z', { state: 'cancelled' })
    await visit('2026-03-10T10:00:00Z', { state: 'held' })
    const { id, paymentNo } = await visit('2026-04-14T13:30:00Z', { isFollowUp: true })
    const at = testApp.services.now()
    await testApp.database.db
      .insertInto('refunds')
      .values({
        id: testApp.services.newId('rfd'),
        payment_no: paymentNo ?? 0,
        key: 'staff:once',
        reason: 'staff',
        amount_minor: 1_500,
        currency: null,
        note: null,
        actor_id: null,
        state: 'done',
        gw_refund: null,
        failure: null,
        tries: 1,
        key_round: 0,
        next_try_at: at,
        created_at: at,
        updated_at: at,
      })
      .execute()
    const { data } = await browser.ask('booking.providerVisit', { id })
    expect(ProviderVisit.parse(data)).toMatchObject({
      id,
      now: '2026-03-02T09:00:00.000Z',
      state: 'confirmed',
      startsAt: '2026-04-14T13:30:00.000Z',
      endsAt: '2026-04-14T14:00:00.000Z',
      timeZone: 'Europe/London',
      place: { name: 'Borough Practice' },
      typeOfVisit: 'follow_up',
      followUpBasis: 'self_declared',
      hasPurpose: true,
      patient: {
        name: 'Maya Ellis',
        email: 'maya@mail.example',
        phone: '020 7946 0123',
        age: 37,
      },
      others: [
        { id: called.id, state: 'cancelled' },
        { id: past.id, state: 'confirmed', startsAt: '2025-11-03T10:00:00.000Z' },
      ],
      otherCount: 2,
      paid: { minor: 6_000, currency: 'GBP' },
      refunded: { minor: 1_500, currency: 'GBP' },
      paymentMethod: 'stripe',
    })
    expect(JSON.stringify(data)).not.toContain('cough')
  })

  test('of somebody who erased the account neither name nor contact nor other visits are left', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, visit, patient } = await open(testApp)
    await visit('2025-11-03T10:00:00Z')
    const { id } = await visit('2025-12-03T10:00:00Z')
    await testApp.database.db
      .updateTable('accounts')
      .set({ erased_at: testApp.services.now() })
      .where('no', '=', patient.no)
      .execute()
    const { data } = await browser.ask('booking.providerVisit', { id })
    expect(data).toMatchObject({ patient: null, others: [], otherCount: 0 })
    expect(JSON.stringify(data)).not.toMatch(/Maya|mail\.example|7946/)
  })
})

test('that a visit was opened is written down, and by whom', async () => {
  await using testApp = await makeTestApp()
  const { browser, visit } = await open(testApp)
  const { id } = await visit('2026-03-12T10:00:00Z')
  await browser.ask('booking.providerVisit', { id })
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['action', 'entity', 'actor_kind', 'details'])
    .where('action', '=', 'visit.opened')
    .execute()
  expect(rows).toEqual([
    { action: 'visit.opened', entity: id, actor_kind: 'provider', details: '{}' },
  ])
})

test.for(['held', 'another’s'])('what is %s is not found', async (what) => {
  await using testApp = await makeTestApp()
  const { browser, visit, patient } = await open(testApp)
  const { provider: other } = await makeProviderAccount(testApp)
  const { id } =
    what === 'held'
      ? await visit('2026-03-12T10:00:00Z', { state: 'held' })
      : await insertVisit(testApp, other, {
          patientNo: patient.no,
          startsAt: '2026-03-12T10:00:00Z',
        })
  expect((await browser.ask('booking.providerVisit', { id })).code).toBe('not_found')
})

test('the emails to the provider lead to the visit itself', async () => {
  await using testApp = await makeTestApp()
  const { visit, provider } = await open(testApp)
  const { id } = await visit('2026-03-12T10:00:00Z')
  const row = await findVisit(testApp.database.db, id)
  if (row === undefined) throw new Error(`no visit of ${provider.id}`)
  const site = { site: 'https://apposite.example', supportEmail: 'help@apposite.example' }
  const told = { ...site, cancellation: undefined }
  for (const { blocks } of [noticeEmail(row, site), cancelledNotice(row, told)]) {
    expect(blocks).toContainEqual(
      expect.objectContaining({ url: `https://apposite.example/doctor/visits/${id}` }),
    )
  }
})
