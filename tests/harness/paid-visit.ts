import { ProviderId } from '#contract/ids.ts'
import type { Database } from '#db/engine.ts'
import { createCaller } from '#server/app-router.ts'
import { makeContext } from '#server/context.ts'
import { settle } from '#server/payments/paying/settle.ts'
import { findBySession } from '#server/payments/store.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { makePaymentFixture, type PaymentFixture } from '#tests/harness/payment-fixture.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

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
  if (payment === undefined) throw new Error('Nobody pays.')
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

/** Refunds in the gateways' own books, in minor units, smallest first. */
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
  const account = await makeAccount(testApp, {
    kind: 'provider',
    email: provider.email,
    date_of_birth: null,
    provider_no: provider.no,
  })
  const { session } = signedInAs(testApp.services, account)
  const ctx = makeContext(testApp.services, {
    viewer: { kind: 'provider', id: ProviderId.parse(provider.id) },
    requestId: 'TEST',
    network: '10.9.9.9',
    session: { ...session, kind: 'provider' },
  })
  return { provider, account, ctx, caller: createCaller(ctx) }
}
