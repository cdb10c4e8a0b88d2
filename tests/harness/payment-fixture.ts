import type { Hold } from '#contract/booking.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import type { SignedIn } from '#server/context.ts'
import { startCard, startWallet } from '#server/payments/paying/start-payment.ts'
import { insertPatients, makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeTestApp, type TestApp, type TestAppOptions } from '#tests/harness/test-app.ts'
import { verifyCode } from '#tests/harness/visits.ts'

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

function terms(hold: Hold) {
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
  const testApp = await makeTestApp({ standIn: sandbox.standIn, ...options })
  at.testApp = testApp
  const [first, second] = await insertPatients(testApp, 2)
  if (first === undefined || second === undefined) throw new Error('Nobody came.')
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
      const { clientSecret } = await startCard(who, terms(hold))
      return clientSecret.split('_secret_')[0] ?? ''
    },
    wallet: async (hold, who = patient) => (await startWallet(who, terms(hold))).orderId,
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}
