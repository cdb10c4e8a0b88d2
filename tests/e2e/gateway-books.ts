import { readFacts } from '#sandbox/facts.ts'
import { accessOf } from '#sandbox/link.ts'
import { makePaypal } from '#server/gateways/paypal.ts'
import { makeStripe } from '#server/gateways/stripe.ts'
import { currentSite } from './site.ts'

/** The gateways of the server under test, through the sandbox it started for itself. */
export function gateways() {
  const access = async () => {
    const facts = await readFacts(currentSite().dataDir)
    if (facts === null) throw new Error('The server has started no sandbox.')
    return accessOf(facts)
  }
  return {
    stripe: makeStripe({ now: Date.now, access: async () => (await access()).stripe }),
    paypal: makePaypal({ now: Date.now, access: async () => (await access()).paypal }),
  }
}

/** An order of 50 pounds nobody else in the run has; paid, it leads back to the home page. */
export function someOrder(site: string) {
  return {
    paymentId: `pay_${crypto.randomUUID().replaceAll('-', '')}`,
    bookingId: `apt_${crypto.randomUUID().replaceAll('-', '')}`,
    amountMinor: 5_000,
    currency: 'GBP' as const,
    email: 'jo@example.com',
    publicUrl: `${site}/home?from=`,
    expiresAt: Date.now() + 36 * 60_000,
  }
}
