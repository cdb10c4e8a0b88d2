import type { SandboxContext } from './context.ts'
import { DELAY_MS, Faults } from './faults.ts'
import type { SandboxRequest, SandboxResponse } from './http-messages.ts'
import { Leases } from './link.ts'
import { decideDue } from './paypal/paypal-orders.ts'
import { type Keys, keysOf, paypalSignature, stripeSignature } from './signatures.ts'
import { type DeliveryRecord, type EventRecord, Store } from './store.ts'
import { failDueRefunds } from './stripe/stripe-refunds-disputes.ts'
import { expireOverdue } from './stripe/stripe-sessions.ts'

const MAX_ATTEMPTS = 12
const MAX_BACKOFF_MS = 60_000
const OLD_MS = 10 * 60_000

/** Sends a webhook and returns the response status; throws when there is no response. */
type Send = (request: Request) => Promise<{ status: number }>

type DeliveriesOptions = {
  ctx: SandboxContext
  faults: Faults
  /** Where the product listens, such as `http://127.0.0.1:3000`; null while it does not. */
  target: () => string | null
  send: Send
}

/** Seconds where the real gateways take minutes and hours: 1, 2, 4 … up to 60. */
function backoffMs(tries: number): number {
  return Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** (tries - 1))
}

function corruptSignature(signature: string): string {
  // Replaces the last character by another of the same alphabet: well formed, but invalid.
  return signature.replace(
    /(\w)(=*)$/,
    (_all, last: string, end: string) => `${last === 'a' ? 'b' : 'a'}${end}`,
  )
}

/** Delivers events to their listeners, with retries. */
class Deliveries {
  readonly #needs: DeliveriesOptions
  #running: Promise<void> | null = null

  constructor(needs: DeliveriesOptions) {
    this.#needs = needs
  }

  /** Tries all due deliveries once. Concurrent calls share one run. */
  run(): Promise<void> {
    this.#running ??= this.#round().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #round(): Promise<void> {
    const { ctx } = this.#needs
    for (const delivery of ctx.store.dueDeliveries(ctx.now())) await this.#one(delivery)
  }

  /** Releases the deliveries held back, oldest or newest first. */
  async release(order: 'fifo' | 'lifo'): Promise<void> {
    const { ctx, faults } = this.#needs
    faults.webhooks = 'none'
    const held = ctx.store.dueDeliveries(ctx.now())
    for (const delivery of order === 'fifo' ? held : held.toReversed()) await this.#one(delivery)
  }

  async #one(delivery: DeliveryRecord): Promise<void> {
    const { ctx, faults } = this.#needs
    const event = ctx.store.find('event', delivery.event)
    if (event === undefined || faults.webhooks === 'hold') return
    if (faults.webhooks === 'delay' && ctx.now() - event.created < DELAY_MS) return
    if (faults.webhooks === 'never') {
      ctx.store.put('delivery', { ...delivery, nextAt: null })
      return
    }
    const address = this.#address(delivery, event)
    if (address === null) return
    const status = await this.#send(event, address)
    if (faults.webhooks === 'duplicate') await this.#send(event, address)
    this.#note(delivery, status)
  }

  #note(delivery: DeliveryRecord, status: number): void {
    const { ctx } = this.#needs
    const tries = delivery.tries + 1
    const isOver = (status >= 200 && status < 300) || tries >= MAX_ATTEMPTS
    const nextAt = isOver ? null : ctx.now() + backoffMs(tries)
    ctx.store.put('delivery', { ...delivery, tries, status, nextAt })
  }

  #address(
    { endpoint }: DeliveryRecord,
    event: EventRecord,
  ): { url: string; secret: string } | null {
    const { ctx, target } = this.#needs
    if (endpoint === 'app') {
      const origin = target()
      if (origin === null) return null
      return { url: `${origin}/webhooks/${event.protocol}`, secret: ctx.keys.webhookSecret }
    }
    return ctx.store.find('endpoint', endpoint) ?? null
  }

  #signature(event: EventRecord, secret: string): Record<string, string> {
    const { ctx, faults } = this.#needs
    const at = faults.webhooks === 'old_timestamp' ? ctx.now() - OLD_MS : ctx.now()
    const headers: Record<string, string> =
      event.protocol === 'stripe'
        ? { 'stripe-signature': stripeSignature(event.body, secret, at) }
        : paypalSignature(event.body, ctx.keys, at)
    if (faults.webhooks !== 'bad_signature') return headers
    const name = event.protocol === 'stripe' ? 'stripe-signature' : 'paypal-transmission-sig'
    return { ...headers, [name]: corruptSignature(headers[name] ?? '') }
  }

  /** Response status; 0 when there was no response. */
  async #send(
    event: EventRecord,
    { url, secret }: { url: string; secret: string },
  ): Promise<number> {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...this.#signature(event, secret),
    }
    const agent = event.protocol === 'stripe' ? 'Stripe/1.0 (sandbox)' : 'PayPal/AUHD-sandbox'
    const request = new Request(url, {
      method: 'POST',
      headers: { ...headers, 'user-agent': agent },
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    return this.#needs.send(request).then(
      ({ status }) => status,
      () => 0,
    )
  }
}

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
