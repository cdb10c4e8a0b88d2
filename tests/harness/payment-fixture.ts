import type { Hold } from '#contract/booking.ts'
import type { VisitLink } from '#contract/visits.ts'
import type { Database } from '#db/engine.ts'
import type { CallRule } from '#sandbox/faults.ts'
import { createCaller } from '#server/app-router.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { makeContext, type SignedIn } from '#server/context.ts'
import { NO_CLIENT } from '#server/kernel/wire/client.ts'
import { settle } from '#server/payments/paying/settle.ts'
import { startCard, startWallet } from '#server/payments/paying/start-payment.ts'
import { findBySession } from '#server/payments/store.ts'
import { insertPatients, makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { signedInAs, signInOwner } from './accounts.ts'
import { startSandbox, type TestSandbox } from './servers/sandbox.ts'
import { signInDemoStaff } from './staff.ts'
import { makeTestApp, type TestApp, type TestAppOptions } from './test-app.ts'
import { verifyCode } from './visits.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const DAY = 86_400_000

/** A testApp with a sandbox, one provider with one free time, and two patients. */
export type PaymentFixture = {
  testApp: TestApp
  sandbox: TestSandbox
  patient: SignedIn
  stranger: SignedIn
  /** Holds the free time and confirms the code, for `patient` unless given. */
  hold(who?: SignedIn): Promise<Hold>
  /** Opens a card checkout for a hold; returns the session's id. */
  card(hold: Hold, who?: SignedIn): Promise<string>
  /** Creates a wallet order for a hold; returns its id. */
  wallet(hold: Hold, who?: SignedIn): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** What a patient pays for when they press the button of a hold. */
export function paymentTerms(hold: Hold) {
  return {
    holdId: hold.id,
    typeOfVisit: 'first_visit' as const,
    purposeForVisit: 'A cough that will not go away',
    shown: hold.fees.first_visit,
  }
}

type PaymentFixtureOptions = Pick<TestAppOptions, 'database' | 'config'> & {
  /** How far ahead the free time is, in milliseconds. */
  startsIn?: number
  /** Whether the gateways' webhooks reach the test app; false by default. */
  deliversWebhooks?: boolean
}

/** Builds a fixture, in memory unless it is given a database. Use it with `await using`. */
export async function makePaymentFixture({
  startsIn = 3 * DAY,
  deliversWebhooks: hears = false,
  ...options
}: PaymentFixtureOptions = {}): Promise<PaymentFixture> {
  const at: { testApp?: TestApp } = {}
  const deliver = async (request: Request) =>
    (await at.testApp?.app.fetch(request)) ?? new Response()
  const sandbox = await startSandbox({
    now: () => at.testApp?.services.now() ?? START,
    ...(hears ? { deliver } : {}),
  })
  const testApp = await makeTestApp({ sandbox: sandbox.connection, ...options })
  at.testApp = testApp
  const [first, second] = await insertPatients(testApp, 2)
  if (first === undefined || second === undefined) throw new Error('There is no patient.')
  const startsAt = new Date(START + startsIn).toISOString()
  const providerId = await makeProviderWithSlots(testApp, [
    { start: START + startsIn, minutes: 30 },
  ])
  const patient = signedInAs(testApp.services, first)
  return {
    testApp,
    sandbox,
    patient,
    stranger: signedInAs(testApp.services, second),
    hold: async (who = patient) => {
      const hold = await holdSlot(who, { providerId, startsAt })
      await verifyCode(who, hold.id)
      return hold
    },
    card: async (hold, who = patient) => {
      const { clientSecret } = await startCard(who, paymentTerms(hold))
      return clientSecret.split('_secret_')[0] ?? ''
    },
    wallet: async (hold, who = patient) => (await startWallet(who, paymentTerms(hold))).orderId,
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}

type Options = { database?: Database; by?: 'card' | 'wallet' }

/** A paid visit of £60.00 in three days, with callers for its patient and for a stranger. */
export async function makePaidVisit({ database, by = 'card' }: Options = {}) {
  const fixture = await makePaymentFixture(database === undefined ? {} : { database })
  const { testApp, sandbox, patient } = fixture
  const hold = await fixture.hold()
  const session = await (by === 'card' ? fixture.card(hold) : fixture.wallet(hold))
  if (by === 'card') sandbox.payByCard(session)
  else sandbox.approve(session)
  const gateway = by === 'card' ? 'stripe' : 'paypal'
  const payment = await findBySession(testApp.database.db, gateway, session)
  if (payment === undefined) throw new Error('There is no payer.')
  if (by === 'wallet') await testApp.services.gateways.paypal.capture(session, payment.id)
  await settle(patient, payment)
  await testApp.drainOutbox()
  return {
    ...fixture,
    id: hold.id,
    payment,
    caller: createCaller(patient),
    strangerCaller: createCaller(fixture.stranger),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

/** Refunds in the gateways' records, in minor units, smallest first. */
export function gatewayRefunds({ sandbox }: Pick<PaymentFixture, 'sandbox'>): number[] {
  const { store } = sandbox.sandbox.ctx
  return [
    ...store.list('refund').map(({ amount }) => amount),
    ...store.list('walletRefund').map(({ value }) => Math.round(Number(value) * 100)),
  ].toSorted((a, b) => a - b)
}

/** The code of a refusal, or null when there was none. */
export async function errorCodeOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    const { cause } = error instanceof Error ? error : { cause: undefined }
    if (cause instanceof Error && 'code' in cause) return String(cause.code)
    throw error
  }
}

/** Signs in the provider of that visit: their context and caller. */
export async function signInProvider(testApp: TestApp) {
  const provider = await testApp.database.db
    .selectFrom('providers')
    .select(['no', 'id', 'email'])
    .executeTakeFirstOrThrow()
  return { provider, ...(await signInOwner(testApp, provider)) }
}

type PaidVisit = Pick<Awaited<ReturnType<typeof makePaidVisit>>, 'testApp'>

/** The link in the newest email to the patient. */
export function linkIn({ testApp }: PaidVisit): VisitLink {
  const text = testApp.mails.filter(({ to }) => to.startsWith('usr_')).at(-1)?.text ?? ''
  const [, id = '', mac = ''] = /\/visit\/(apt_\w+)\/([\w-]{43})\b/.exec(text) ?? []
  return { id, mac }
}

/** A caller who opened the link, without a session, from a network of their own. */
export function makeVisitorCaller(
  { testApp }: PaidVisit,
  { network = '192.0.2.9', key = null as string | null } = {},
) {
  const client = { ...NO_CLIENT, idempotencyKey: key }
  const ctx = makeContext(testApp.services, {
    viewer: { kind: 'visitor' },
    requestId: 'TEST',
    network,
    client,
  })
  return createCaller(ctx).visits
}

/** The fee of the visit, in minor units. */
export const FEE = 6_000

/** The payment method. */
export type PaymentMethod = 'card' | 'wallet'

/** Takes money at the gateway without the server knowing. */
export async function payAtGateway(
  fixture: PaymentFixture,
  by: PaymentMethod,
  cardNumber?: string,
) {
  const hold = await fixture.hold()
  const session = await (by === 'card' ? fixture.card(hold) : fixture.wallet(hold))
  const find = () =>
    findBySession(fixture.testApp.database.db, by === 'card' ? 'stripe' : 'paypal', session)
  const { ctx } = fixture.sandbox.sandbox
  if (by === 'card') {
    fixture.sandbox.payByCard(session, cardNumber)
    return { find, money: ctx.store.list('charge')[0]?.intent ?? '' }
  }
  fixture.sandbox.approve(session)
  const { id } = (await find()) ?? { id: '' }
  // As if the process had died before it could record the response.
  const { gwPayment } = await fixture.testApp.services.gateways.paypal.capture(session, id)
  await fixture.testApp.database.db.updateTable('payments').set({ state: 'capturing' }).execute()
  return { find, money: gwPayment ?? '' }
}

/** Updates the payment from its gateway. */
export async function settlePayment(
  fixture: PaymentFixture,
  find: () => ReturnType<typeof findBySession>,
) {
  const payment = await find()
  if (payment === undefined) throw new Error('There is no payer.')
  return settle(fixture.testApp.context(), payment)
}

/** A settled payment and an admin who refunds parts of it while the gateway's refunds fail. */
export async function makeRefundable(
  fixture: PaymentFixture,
  by: PaymentMethod,
  cardNumber?: string,
) {
  const { find } = await payAtGateway(fixture, by, cardNumber)
  await settlePayment(fixture, find)
  const admin = await signInDemoStaff(fixture.testApp, 'admin')
  const { id: paymentId } = (await find()) ?? { id: '' }
  const path = by === 'card' ? '/v1/refunds' : '*/refund'
  return {
    find,
    admin,
    /** Refunds so many minor units; `n` must differ between refunds of the same payment. */
    refund: (minor: number, n = 1) => {
      const key = `0b8f7c3e-5a44-4f0e-9d57-00000000000${n}`
      return admin.act('payments.refund', { paymentId, minor, reason: 'Agreed by phone.', key })
    },
    /** Makes the next refunds fail. */
    failRefunds: (fault: CallRule['fault'], times: number) =>
      fixture.sandbox.fail({ path, method: 'POST', fault, times }),
  }
}

/** The state of our own records. */
export async function readStates({ testApp: { database } }: PaymentFixture) {
  const payments = await database.db.selectFrom('payments').select('state').execute()
  const bookings = await database.db.selectFrom('bookings').select('state').execute()
  const refunds = await database.db
    .selectFrom('refunds')
    .select(['reason', 'amount_minor', 'state'])
    .execute()
  return {
    payment: payments[0]?.state,
    booking: bookings[0]?.state,
    refunds: refunds.map((one) => `${one.reason} ${one.amount_minor} ${one.state}`).toSorted(),
  }
}

/** Texts of the emails sent to staff. */
export async function emailsToStaff({ testApp }: PaymentFixture) {
  await testApp.drainOutbox()
  return testApp.mails
    .filter(({ to }) => to === testApp.services.config.supportEmail)
    .map(({ text }) => text)
}
