import type {
  PaymentsConfig,
  PaypalAccess,
  StripeAccess,
} from '#server/kernel/config/config-payments.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { chance as anyChance } from '#server/kernel/ids.ts'
import type { Metrics, Tracing } from '#server/kernel/telemetry.ts'
import type { MailGateway } from './mail.ts'
import type { OutsideCalendarGateway } from './outside-calendars.ts'
import type { PaymentGateways, SandboxConnection } from './payment-gateways.ts'
import { makePaypal } from './paypal.ts'
import type { Registers } from './registers.ts'
import { makeStripe } from './stripe.ts'

type GatewayOptions = {
  payments: PaymentsConfig
  /** Epoch milliseconds. */
  now: () => number
  /** A number from 0 up to 1, for retry jitter; random by default. */
  chance?: () => number
  /** The embedded sandbox; null where both gateways are the real ones. */
  sandbox: SandboxConnection | null
  /** Counts gateway failures, if given. */
  metrics?: Pick<Metrics, 'gatewayFailures'>
}

/** Wraps an object so that each call of a method goes through `wrap`. */
function wrapCalls<G extends object>(
  gateway: G,
  wrap: (call: () => unknown, name: string | symbol) => unknown,
): G {
  return new Proxy(gateway, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => wrap(() => Reflect.apply(value, target, args), key)
    },
  })
}

/** Wraps a gateway so that every call that fails with `UpstreamError` is counted. */
function countFailures<G extends object>(gateway: G, onFailure: () => void): G {
  return wrapCalls(gateway, (call) => {
    const answer = call()
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (error instanceof UpstreamError) onFailure()
      })
    }
    return answer
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
        sandboxScripts: [
          ...(payments.stripe === null ? ['/sandbox/stripe.js'] : []),
          ...(payments.paypal === null ? ['/sandbox/paypal.js'] : []),
        ],
      }
    },
    sandbox,
  }
}

/** Clients of external services; each call gets a span. */
type ExternalClients = {
  gateways: PaymentGateways
  mail: MailGateway
  registers: Registers
  outsideCalendars: OutsideCalendarGateway
}

/** Wraps an object so that each of `calls` runs in a span named `name.call`. */
function traced<G extends object>(
  tracing: Tracing,
  gateway: G,
  { name, calls }: { name: string; calls: readonly (keyof G & string)[] },
): G {
  const isTraced = new Set<string | symbol>(calls)
  return wrapCalls(gateway, (call, key) => {
    if (!isTraced.has(key)) return call()
    return tracing.run({ name: `${name}.${String(key)}`, kind: 'client' }, async () => call())
  })
}

const COMMON_CALLS = [
  'open',
  'read',
  'refund',
  'readRefund',
  'listReturned',
  'listDisputes',
] as const

/** Wraps the external clients with a span for each call while tracing is on. Nothing is added to requests. */
export function traceExternal<O extends ExternalClients>(tracing: Tracing, clients: O): O {
  if (!tracing.isOn) return clients
  const { gateways, mail, registers, outsideCalendars } = clients
  return {
    ...clients,
    gateways: {
      ...gateways,
      stripe: traced(tracing, gateways.stripe, {
        name: 'stripe',
        calls: [...COMMON_CALLS, 'close', 'listSince'],
      }),
      paypal: traced(tracing, gateways.paypal, {
        name: 'paypal',
        calls: [...COMMON_CALLS, 'capture', 'listTransactions'],
      }),
    },
    mail: traced(tracing, mail, { name: 'mail', calls: ['send'] }),
    registers: traced(tracing, registers, { name: 'register', calls: ['lookUp'] }),
    outsideCalendars: traced(tracing, outsideCalendars, { name: 'calendar', calls: ['read'] }),
  }
}
