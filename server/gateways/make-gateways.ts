import type {
  PaymentsConfig,
  PaypalAccess,
  StripeAccess,
} from '#server/kernel/config/config-payments.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { chance as anyChance } from '#server/kernel/ids.ts'
import type { Metrics } from '#server/kernel/metrics.ts'
import type { EmbeddedSandbox, PaymentGateways } from './payment-gateways.ts'
import { makePaypal } from './paypal.ts'
import { makeStripe } from './stripe.ts'

type GatewayOptions = {
  payments: PaymentsConfig
  /** Epoch milliseconds. */
  now: () => number
  /** A number from 0 up to 1, for retry jitter; random by default. */
  chance?: () => number
  /** The embedded sandbox; null where both gateways are the real ones. */
  sandbox: EmbeddedSandbox | null
  /** Counts gateway failures, if given. */
  metrics?: Pick<Metrics, 'gatewayFailures'>
}

/** Wraps a gateway so that every call that fails with `UpstreamError` is counted. */
function countFailures<G extends object>(gateway: G, onFailure: () => void): G {
  return new Proxy(gateway, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args)
        if (answer instanceof Promise) {
          answer.catch((error: unknown) => {
            if (error instanceof UpstreamError) onFailure()
          })
        }
        return answer
      }
    },
  })
}

/** Both gateways of an installation: the real one where there are keys, else the sandbox. */
export function makeGateways({
  payments,
  now,
  chance = anyChance,
  sandbox,
  metrics,
}: GatewayOptions): PaymentGateways {
  const find = async () => {
    if (sandbox === null) throw new UpstreamError('The payment sandbox', null)
    return sandbox.access()
  }
  const stripe = async (): Promise<StripeAccess> => payments.stripe ?? (await find()).stripe
  const paypal = async (): Promise<PaypalAccess> => payments.paypal ?? (await find()).paypal
  return {
    stripe: countFailures(makeStripe({ access: stripe, now }), () =>
      metrics?.gatewayFailures.inc({ gateway: 'stripe' }),
    ),
    paypal: countFailures(makePaypal({ access: paypal, now, chance }), () =>
      metrics?.gatewayFailures.inc({ gateway: 'paypal' }),
    ),
    options: async () => {
      const [card, wallet] = [await stripe(), await paypal()]
      return {
        stripe: { publishableKey: card.publishableKey },
        paypal: { clientId: wallet.clientId, environment: wallet.environment },
        standIns: [
          ...(payments.stripe === null ? ['/sandbox/stripe.js'] : []),
          ...(payments.paypal === null ? ['/sandbox/paypal.js'] : []),
        ],
      }
    },
    sandbox,
  }
}
