import { decideDue } from '#sandbox/paypal/paypal-orders.ts'
import { expireOverdue } from '#sandbox/stripe/stripe-sessions.ts'
import type { SandboxContext } from './context.ts'
import { Deliveries, type Send } from './deliveries.ts'
import { Faults } from './faults.ts'
import type { SandboxRequest, SandboxResponse } from './http-messages.ts'
import { Leases } from './link.ts'
import { type Keys, keysOf } from './signatures.ts'
import { Store } from './store.ts'
import { failDueRefunds } from './stripe/stripe-refunds-disputes.ts'

type Options = {
  /** File of the store; `:memory:` for a test. */
  file: string
  /** Epoch milliseconds. */
  now: () => number
  /** Used instead of the keys in the file. */
  keys?: Keys
  /** Where webhooks go instead of the latest lease. */
  target?: () => string | null
  send?: Send
}

/** A sandbox for both payment gateways: store, clock, faults and webhooks. */
export type Sandbox = {
  ctx: SandboxContext
  faults: Faults
  leases: Leases
  deliveries: Deliveries
  /** Receives every call of both protocols with its response; for tests that inspect the traffic. */
  listen: ((asked: SandboxRequest, answered: SandboxResponse) => void) | null
  /** Sets the clock this many milliseconds ahead of the one it was given. */
  shiftClock(ms: number): void
  clockShift(): number
  /** Applies what is due: sessions expire, refunds fail, pending captures are decided. */
  tick(): void
  close(): void
}

/** Opens the sandbox of a file. Throws `TakenError` when another process has it open. */
export function openSandbox(options: Options): Sandbox {
  const store = new Store(options.file)
  let shift = 0
  const now = () => options.now() + shift
  const ctx: SandboxContext = { store, keys: options.keys ?? keysOf(store), now }
  const faults = new Faults()
  const leases = new Leases(options.now)
  const target = options.target ?? (() => leases.latest())
  const deliveries = new Deliveries({ ctx, faults, target, send: options.send ?? fetch })
  return {
    ctx,
    faults,
    leases,
    deliveries,
    listen: null,
    clockShift: () => shift,
    shiftClock: (ms) => {
      shift = ms
    },
    tick: () =>
      store.atomically(() => {
        expireOverdue(ctx)
        failDueRefunds(ctx)
        decideDue(ctx)
      }),
    close: () => store.close(),
  }
}
