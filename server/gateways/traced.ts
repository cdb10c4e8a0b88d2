import type { Tracing } from '#server/kernel/tracing.ts'
import type { MailGateway } from './mail.ts'
import type { OutsideCalendarGateway } from './outside-calendars.ts'
import type { PaymentGateways } from './payment-gateways.ts'
import type { Registers } from './registers.ts'

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
  return new Proxy(gateway, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const call = (args: unknown[]): unknown => Reflect.apply(value, target, args)
      if (!isTraced.has(key)) return (...args: unknown[]) => call(args)
      return (...args: unknown[]) =>
        tracing.run({ name: `${name}.${String(key)}`, kind: 'client' }, async () => call(args))
    },
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
        calls: [...COMMON_CALLS, 'capture', 'readBooks'],
      }),
    },
    mail: traced(tracing, mail, { name: 'mail', calls: ['send'] }),
    registers: traced(tracing, registers, { name: 'register', calls: ['lookUp'] }),
    outsideCalendars: traced(tracing, outsideCalendars, { name: 'calendar', calls: ['read'] }),
  }
}
