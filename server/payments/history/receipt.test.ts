import { expect, test } from 'vitest'
import { Receipt } from '#contract/payments-history.ts'
import { makeAccount, makePatient, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit, insertRefund, insertVisit } from '#tests/harness/visits.ts'

const NINE = '2026-03-03T09:00:00Z'

async function open() {
  const testApp = await makeTestApp()
  const { provider, account: doctor } = await makeProviderAccount(testApp)
  const payer = await makeAccount(testApp)
  const booked = await insertVisit(testApp, provider, { patientNo: payer.no, startsAt: NINE })
  const { id: paymentId } = await testApp.database.db
    .selectFrom('payments')
    .select('id')
    .where('no', '=', booked.paymentNo ?? 0)
    .executeTakeFirstOrThrow()
  const as = async (account: { email: string; kind: string }) => {
    const browser = new Browser(testApp)
    await browser.signIn(account)
    return browser
  }
  return {
    testApp,
    doctor,
    payer,
    paymentId,
    paymentNo: booked.paymentNo ?? 0,
    as,
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

test('the payer sees what for, how much, when and how', async () => {
  await using at = await open()
  const browser = await at.as(at.payer)
  const { data } = await browser.ask('payments.receipt', { paymentId: at.paymentId })
  expect(Receipt.parse(data)).toEqual(data)
  expect(data).toMatchObject({
    paymentId: at.paymentId,
    reference: expect.stringMatching(/^AP-/) as unknown,
    patientName: 'Maya Ellis',
    provider: { name: 'Dr Amara Okafor', specialty: 'GP' },
    place: { name: 'Borough Practice' },
    startsAt: '2026-03-03T09:00:00.000Z',
    visit: 'booked',
    method: 'stripe',
    paid: { minor: 6_000, currency: 'GBP' },
    refunds: [],
    left: { minor: 6_000, currency: 'GBP' },
  })
})

test('refunds are listed, pending ones too, with what is left', async () => {
  await using at = await open()
  await insertRefund(at.testApp, { no: at.paymentNo, minor: 2_000 })
  await insertRefund(at.testApp, { no: at.paymentNo, minor: 500 }, { state: 'due' })
  // Failed permanently: the money has not been refunded.
  await insertRefund(at.testApp, { no: at.paymentNo, minor: 900 }, { state: 'failed' })
  const browser = await at.as(at.payer)
  const { data } = await browser.ask('payments.receipt', { paymentId: at.paymentId })
  expect(data).toMatchObject({
    refunds: [
      { amount: { minor: 2_000, currency: 'GBP' }, isDone: true },
      { amount: { minor: 500, currency: 'GBP' }, isDone: false },
    ],
    left: { minor: 3_500, currency: 'GBP' },
  })
})

test('another patient gets the same response as for an unknown payment, and a provider is refused', async () => {
  await using at = await open()
  const other = await at.as(await makeAccount(at.testApp))
  const foreign = await other.ask('payments.receipt', { paymentId: at.paymentId })
  const none = await other.ask('payments.receipt', { paymentId: `pay_${'z'.repeat(26)}` })
  expect([foreign.status, foreign.code, foreign.message]).toEqual([404, 'not_found', none.message])
  const doctor = await at.as(at.doctor)
  expect((await doctor.ask('payments.receipt', { paymentId: at.paymentId })).status).toBe(403)
  const stranger = await new Browser(at.testApp).ask('payments.receipt', {
    paymentId: at.paymentId,
  })
  expect(stranger.status).toBe(401)
})

test('a payment that was never received has no receipt', async () => {
  await using at = await open()
  const browser = await at.as(at.payer)
  for (const state of ['open', 'failed', 'review'] as const) {
    await at.testApp.database.db.updateTable('payments').set({ state }).execute()
    const { code } = await browser.ask('payments.receipt', { paymentId: at.paymentId })
    expect([state, code]).toEqual([state, 'not_found'])
  }
})

test('staff who may see names can read it, audited; others may not', async () => {
  await using at = await open()
  const admin = await signInDemoStaff(at.testApp, 'admin')
  const { data } = await admin.ask('payments.receipt', { paymentId: at.paymentId })
  expect(data).toMatchObject({ patientName: 'Maya Ellis' })
  const rows = await at.testApp.database.db
    .selectFrom('audit')
    .select('entity')
    .where('action', '=', 'payment.names_read')
    .execute()
  expect(rows).toEqual([{ entity: at.paymentId }])
  const author = await signInDemoStaff(at.testApp, 'author')
  expect((await author.ask('payments.receipt', { paymentId: at.paymentId })).status).toBe(403)
})

test('the confirmation links to it, and the visit has its payment id', async () => {
  await using testApp = await makeTestApp()
  const { provider } = await makeProviderAccount(testApp)
  const { ctx, caller, account } = await makePatient(testApp)
  await bookVisit(ctx, { providerId: provider.id, startsAt: '2026-03-03T09:00:00Z' })
  const { visits } = await caller.booking.visits({ when: 'coming' })
  const { text } = await lastMailTo(testApp, account.email)
  expect(text).toContain(`http://localhost:3000/receipt/${visits[0]?.paymentId}`)
})
