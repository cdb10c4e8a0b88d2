import { expect, test } from 'vitest'
import type { Hold } from '#contract/booking.ts'
import { ErasurePreview } from '#contract/erasure.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { reconcile } from '#server/payments/events/process-events.ts'
import { capture, readReturn } from '#server/payments/paying/capture.ts'
import { sweepHolds } from '#server/payments/paying/close-payment.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { makeAccount, signedInAs } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { insertRefund } from '#tests/harness/visits.ts'

const MINUTE = 60_000

/** The fixture's provider, signed in. */
async function provider({ testApp }: PaymentFixture) {
  const { no, email } = await testApp.database.db
    .selectFrom('providers')
    .selectAll()
    .executeTakeFirstOrThrow()
  await makeAccount(testApp, { kind: 'provider', email, provider_no: no, first_name: 'Amara' })
  const browser = new Browser(testApp)
  await browser.signIn({ email, kind: 'provider' })
  const ahead = async () => ErasurePreview.parse((await browser.ask('erasure.ahead')).data)
  const erase = (seen?: string) =>
    browser.act('erasure.erase', { confirm: true, ...(seen !== undefined && { seen }) })
  return { browser, email, ahead, erase }
}

/** Books a visit and pays by card. */
async function bookPaidVisit(fixture: PaymentFixture, who = fixture.patient): Promise<Hold> {
  const hold = await fixture.hold(who)
  const session = await fixture.card(hold, who)
  fixture.sandbox.payByCard(session)
  expect((await readReturn(who, { session_id: session })).status).toBe('complete')
  return hold
}

/** A patient signed in to a browser, with a direct call context. */
async function patient({ testApp }: PaymentFixture) {
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const erase = () => browser.act('erasure.erase', { confirm: true })
  return { browser, ctx: signedInAs(testApp.services, account), erase }
}

async function readOutcome({ testApp, sandbox }: PaymentFixture) {
  const { db } = testApp.database
  const booking = await db.selectFrom('bookings').select('state').executeTakeFirstOrThrow()
  const payment = await db.selectFrom('payments').select('state').executeTakeFirstOrThrow()
  const refunds = await db
    .selectFrom('refunds')
    .select(['reason', 'state', 'amount_minor as minor'])
    .execute()
  const claims = await db.selectFrom('slot_claims').select('booking_no').execute()
  const sent = sandbox.sandbox.ctx.store.list('refund').length
  return {
    booking: booking.state,
    payment: payment.state,
    refunds,
    claims: claims.length,
    sent,
  }
}

/** Makes the card gateway fail to close sessions; returns the function that restores it. */
function failSessionClose({ testApp }: PaymentFixture): () => void {
  const { gateways } = testApp.services
  const { stripe } = gateways
  const close = () => Promise.reject(new UpstreamError('Stripe', null))
  gateways.stripe = { ...stripe, close }
  return () => {
    gateways.stripe = stripe
  }
}

/** Reopens a closed session at the gateway, as if the request to close it had been lost. */
function reopen({ sandbox }: PaymentFixture, session: string): void {
  const { store } = sandbox.sandbox.ctx
  const closed = store.find('session', session)
  if (closed === undefined) throw new Error('The session is gone.')
  store.put('session', { ...closed, status: 'open' })
}

describeEngines('a provider who erases the account', (makeDatabase) => {
  test('sees which visits are cancelled and what is refunded, and every patient is told whose visit it was', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const { testApp } = fixture
    const me = await provider(fixture)
    // The confirmation has not been sent yet.
    const { id, startsAt } = await bookPaidVisit(fixture)
    const { version, ...shown } = await me.ahead()
    expect(shown).toEqual({
      count: 1,
      visits: [{ id, startsAt, timeZone: 'Europe/London', patientName: 'Maya E.' }],
      deskCount: 0,
      refunds: [{ minor: 6_000, currency: 'GBP' }],
    })
    expect((await me.erase(version)).status).toBe(200)
    expect(await readOutcome(fixture)).toMatchObject({ booking: 'cancelled', claims: 0 })
    await runRefunds(testApp.services)
    await testApp.drainOutbox()
    expect(await readOutcome(fixture)).toEqual({
      booking: 'cancelled',
      payment: 'paid',
      refunds: [{ reason: 'cancelled', state: 'done', minor: 6_000 }],
      claims: 0,
      sent: 1,
    })
    const [account] = testApp.mails.filter(({ subject }) => subject.includes('deleted'))
    expect(account?.to).toBe(me.email)
    const emails = testApp.mails.filter(({ subject }) =>
      subject.startsWith('Cancelled: your visit'),
    )
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Cancelled: your visit to Dr Amara Okafor',
    ])
    expect(emails[0]?.text).toContain('Borough Practice, 12 Harper Road, London, SE1 6ET')
    expect(emails[0]?.files?.[0]?.text).toContain('Dr Amara Okafor')
    const notice = testApp.mails.find(({ subject }) => /^Cancelled: [A-Z]/.test(subject))
    expect(notice).toMatchObject({ to: me.email })
    expect(notice?.text).toContain('Maya Ellis')
    const refund = testApp.mails.find(({ subject }) => subject === 'We’ve refunded £60.00')
    expect(refund?.text).toMatch(/When: .+ \(London time, GMT\)\nReference: AP-/)
    expect(JSON.stringify(testApp.mails)).not.toMatch(/Former|is booked/)
  })

  test('refunds what is left of a payment, never more', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await provider(fixture)
    await bookPaidVisit(fixture)
    const { db } = fixture.testApp.database
    const { no } = await db.selectFrom('payments').select('no').executeTakeFirstOrThrow()
    await insertRefund(fixture.testApp, { no, minor: 1_500 }, { state: 'due', tries: 0 })
    const { version, refunds } = await me.ahead()
    expect(refunds).toEqual([{ minor: 4_500, currency: 'GBP' }])
    expect((await me.erase(version)).status).toBe(200)
    await runRefunds(fixture.testApp.services)
    const { refunds: made } = await readOutcome(fixture)
    expect(made.toSorted((a, b) => a.minor - b.minor)).toMatchObject([
      { minor: 1_500, state: 'done' },
      { minor: 4_500, state: 'done' },
    ])
  })

  test.each([
    [1_500, 'We’re refunding £45.00 of £60.00 to your card', 'are refunding them.'],
    [6_000, 'Your payment had already been refunded.', 'We’ve told the patient.'],
  ])('after a refund of %i: both sides are told what else is refunded', async (minor, ...told) => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await provider(fixture)
    await bookPaidVisit(fixture)
    const { testApp } = fixture
    const { no } = await testApp.database.db
      .selectFrom('payments')
      .select('no')
      .executeTakeFirstOrThrow()
    await insertRefund(testApp, { no, minor }, { state: 'done', tries: 1 })
    expect((await me.erase((await me.ahead()).version)).status).toBe(200)
    await testApp.drainOutbox()
    const emails = testApp.mails.filter(({ subject }) => /cancelled/i.test(subject))
    expect(emails.map(({ text }) => text)).toEqual(
      told.map((text): unknown => expect.stringContaining(text)),
    )
  })

  test('is refused when the upcoming visits have changed, and nothing is erased', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await provider(fixture)
    const { version: none } = await me.ahead()
    const { id } = await bookPaidVisit(fixture)
    for (const seen of [undefined, none, 'x'.repeat(43)]) {
      const refused = await me.erase(seen)
      expect([refused.status, refused.code]).toEqual([409, 'visits_changed'])
    }
    expect(await readOutcome(fixture)).toMatchObject({
      booking: 'confirmed',
      refunds: [],
      claims: 1,
    })
    const now = await me.ahead()
    expect(now.visits.map((one) => one.id)).toEqual([id])
    expect((await me.erase(now.version)).status).toBe(200)
  })

  test('keeps a visit that has begun', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const { startsAt } = await bookPaidVisit(fixture)
    fixture.testApp.advance(Date.parse(startsAt) - fixture.testApp.services.now() + MINUTE)
    const me = await provider(fixture)
    expect(await me.ahead()).toMatchObject({ count: 0, visits: [], refunds: [] })
    expect((await me.erase()).status).toBe(200)
    expect(await readOutcome(fixture)).toMatchObject({ booking: 'confirmed', refunds: [] })
  })

  test('closes an open card checkout, and refunds a payment that still arrives', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await provider(fixture)
    const session = await fixture.card(await fixture.hold())
    expect((await me.erase()).status).toBe(200)
    expect(await readOutcome(fixture)).toMatchObject({
      booking: 'released',
      payment: 'expired',
      claims: 0,
    })
    reopen(fixture, session)
    fixture.sandbox.payByCard(session)
    fixture.testApp.advance(11 * MINUTE)
    await reconcile(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect(await readOutcome(fixture)).toMatchObject({
      booking: 'released',
      payment: 'refunded',
      sent: 1,
    })
  })

  test('gets no booking while the gateway is unreachable: the payment is refunded', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await provider(fixture)
    const session = await fixture.card(await fixture.hold())
    const answerAgain = failSessionClose(fixture)
    expect((await me.erase()).status).toBe(200)
    answerAgain()
    expect(await readOutcome(fixture)).toMatchObject({ booking: 'held', payment: 'open' })
    fixture.sandbox.payByCard(session)
    expect((await readReturn(fixture.patient, { session_id: session })).status).toBe('failed')
    await runRefunds(fixture.testApp.services)
    fixture.testApp.advance(16 * MINUTE)
    await sweepHolds(fixture.testApp.services)
    expect(await readOutcome(fixture)).toMatchObject({
      booking: 'released',
      payment: 'refunded',
      claims: 0,
      sent: 1,
    })
  })

  test('captures nothing from an approved wallet order', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await provider(fixture)
    const orderId = await fixture.wallet(await fixture.hold())
    fixture.sandbox.approve(orderId)
    expect((await me.erase()).status).toBe(200)
    expect(await capture(fixture.patient, { orderId })).toEqual({ success: false })
    expect(fixture.sandbox.sandbox.ctx.store.list('capture')).toEqual([])
    expect(await readOutcome(fixture)).toMatchObject({ booking: 'released', payment: 'abandoned' })
  })

  test('during a payment has no visit, or is asked to review it', async () => {
    for (let round = 0; round < 5; round += 1) {
      await using fixture = await makePaymentFixture({ database: await makeDatabase() })
      const me = await provider(fixture)
      const session = await fixture.card(await fixture.hold())
      fixture.sandbox.payByCard(session)
      const pay = () => readReturn(fixture.patient, { session_id: session })
      const [{ code }] = await Promise.all([me.erase(), pay()])
      const { booking, payment } = await readOutcome(fixture)
      const fate = [code, booking, payment].join(' ')
      expect([' released refund_due', 'visits_changed confirmed paid']).toContain(fate)
    }
  })
})

describeEngines('a patient who erases the account', (makeDatabase) => {
  test('closes an open card checkout, and refunds a payment that still arrives', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await patient(fixture)
    const session = await fixture.card(await fixture.hold(me.ctx), me.ctx)
    expect((await me.erase()).status).toBe(200)
    expect(await readOutcome(fixture)).toMatchObject({ booking: 'released', payment: 'expired' })
    reopen(fixture, session)
    fixture.sandbox.payByCard(session)
    fixture.testApp.advance(11 * MINUTE)
    await reconcile(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect(await readOutcome(fixture)).toMatchObject({ payment: 'refunded', claims: 0, sent: 1 })
  })

  test('captures nothing from an approved wallet order', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await patient(fixture)
    const orderId = await fixture.wallet(await fixture.hold(me.ctx), me.ctx)
    fixture.sandbox.approve(orderId)
    expect((await me.erase()).status).toBe(200)
    expect(await capture(me.ctx, { orderId })).toEqual({ success: false })
    expect(await readOutcome(fixture)).toMatchObject({ booking: 'released', payment: 'abandoned' })
  })

  test('gets no booking while the gateway is unreachable: the payment is refunded', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await patient(fixture)
    const session = await fixture.card(await fixture.hold(me.ctx), me.ctx)
    const answerAgain = failSessionClose(fixture)
    expect((await me.erase()).status).toBe(200)
    answerAgain()
    fixture.sandbox.payByCard(session)
    fixture.testApp.advance(2 * MINUTE)
    await reconcile(fixture.testApp.services)
    await runRefunds(fixture.testApp.services)
    expect(await readOutcome(fixture)).toMatchObject({ payment: 'refunded', sent: 1 })
  })

  test('keeps a paid visit, without a name', async () => {
    await using fixture = await makePaymentFixture({ database: await makeDatabase() })
    const me = await patient(fixture)
    const doctor = await provider(fixture)
    await bookPaidVisit(fixture, me.ctx)
    const { data } = await me.browser.ask('erasure.ahead')
    expect(data).toMatchObject({ count: 0, visits: [] })
    expect((await me.erase()).status).toBe(200)
    expect(await readOutcome(fixture)).toMatchObject({
      booking: 'confirmed',
      refunds: [],
      claims: 1,
    })
    expect((await doctor.ahead()).visits).toMatchObject([{ patientName: null }])
  })
})
