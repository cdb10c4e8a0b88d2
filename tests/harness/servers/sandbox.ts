import { type Command, runCommand } from '#sandbox/control.ts'
import type { CallRule } from '#sandbox/faults.ts'
import { accessOf } from '#sandbox/link.ts'
import { approveOrder } from '#sandbox/paypal/paypal-orders.ts'
import { openSandbox, type Sandbox } from '#sandbox/sandbox.ts'
import { serveSandbox } from '#sandbox/serve.ts'
import { type Keys, makeKeys } from '#sandbox/signatures.ts'
import type { Protocol, WalletOutcome } from '#sandbox/store.ts'
import { type Attempt, answerChallenge, attemptCard } from '#sandbox/stripe/stripe-charges.ts'
import { readSession } from '#sandbox/stripe/stripe-sessions.ts'
import type { SandboxConnection } from '#server/gateways/payment-gateways.ts'

type SandboxOptions = {
  /** Epoch milliseconds; the test app's clock, so that both agree. */
  now: () => number
  /** Where signed webhooks go, such as `(request) => testApp.app.fetch(request)`; nowhere by default. */
  deliver?: (request: Request) => Promise<Response>
}

/** A sandbox of one test: real listeners on a free port of this machine, with data in memory. */
export type TestSandbox = {
  /** For `makeTestApp({ sandbox })`. */
  connection: SandboxConnection
  /** `http://127.0.0.1:…`, shared by both protocols and the pages. */
  baseUrl: string
  /** The gateway itself, to inspect its records. */
  sandbox: Sandbox
  /** A patient submits the card form of a session. */
  payByCard(session: string, number?: string): Attempt
  /** The card holder responds to their bank's challenge. */
  answerBank(session: string, isApproved: boolean): Attempt
  /** A patient approves on the wallet's page. */
  approve(order: string, outcome?: WalletOutcome): void
  /** Runs a command of the operator's page: faults, clock, resending. Returns the id of what it created. */
  tell(command: Command): Promise<string | null>
  /** Sets faults for the next calls, replacing earlier ones; none without rules. */
  fail(...rules: CallRule[]): Promise<void>
  /** Executes the calls whose fault was `late`, in their order. */
  executeLate(): Promise<void>
  /** Drops every call of a gateway before it arrives, until called with false. */
  away(gateway: Protocol, isAway?: boolean): Promise<void>
  /** GET of a PayPal order answers 404 from now on; its money may still move. */
  forget(order: string): Promise<void>
  /** A refund in the gateway's dashboard; `payment`: payment intent or capture. Returns the refund's id. */
  refundByHand(payment: string, amountMinor?: number): Promise<string>
  /** The payer disputes a payment, with one of its gateway's reasons. Returns the dispute's id. */
  dispute(payment: string, reason?: DisputeReason, amountMinor?: number): Promise<string>
  /** The bank or PayPal decides; `won` is our side. */
  closeDispute(dispute: string, outcome: 'won' | 'lost'): Promise<void>
  /** Triggers what is due by the clock and sends every webhook that is due, once each. */
  deliverDue(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type DisputeReason = Extract<Command, { do: 'dispute' }>['reason']

/** The same commands as the operator's page, by name. */
function commandsOf(sandbox: Sandbox) {
  const tell = (command: Command) => runCommand(sandbox, command)
  const make = async (command: Command) => {
    const id = await tell(command)
    if (id === null) throw new Error(`${command.do} created nothing`)
    return id
  }
  const isCard = (payment: string) => sandbox.ctx.store.find('intent', payment) !== undefined
  return {
    tell,
    fail: async (...rules: CallRule[]) => {
      await tell({ do: 'fail_calls', rules })
    },
    executeLate: async () => {
      await tell({ do: 'execute_late' })
    },
    away: async (gateway: Protocol, isAway = true) => {
      await tell({ do: 'away', gateway, away: isAway })
    },
    forget: async (order: string) => {
      await tell({ do: 'forget', object: order })
    },
    refundByHand: (payment: string, amountMinor?: number) =>
      make({ do: 'refund_by_hand', payment, amountMinor }),
    dispute: (payment: string, reason?: DisputeReason, amountMinor?: number) =>
      make({
        do: 'dispute',
        payment,
        reason: reason ?? (isCard(payment) ? 'fraudulent' : 'UNAUTHORISED'),
        amountMinor,
      }),
    closeDispute: async (dispute: string, outcome: 'won' | 'lost') => {
      await tell({ do: 'close_dispute', dispute, outcome })
    },
  }
}

const refuseDelivery = (): Promise<Response> => Promise.resolve(new Response(null, { status: 503 }))

/** Shared by all sandboxes of a worker: generating them takes longer than many tests. */
let keys: Keys | undefined

/** Starts a sandbox. Use it with `await using`; it ends with the test. */
export async function startSandbox(options: SandboxOptions): Promise<TestSandbox> {
  const { deliver } = options
  keys ??= makeKeys()
  const sandbox = openSandbox({
    file: ':memory:',
    keys,
    now: options.now,
    target: () => (deliver === undefined ? null : 'http://localhost:3000'),
    send: deliver ?? refuseDelivery,
  })
  const { ctx } = sandbox
  let isClosed = false
  const serving = await serveSandbox(sandbox, 0)
  const access = accessOf({ ...ctx.keys, port: serving.port })
  return {
    connection: { access: () => Promise.resolve(access) },
    baseUrl: `http://127.0.0.1:${serving.port}`,
    sandbox,
    payByCard: (session, number = '4242 4242 4242 4242') =>
      ctx.store.atomically(() =>
        attemptCard(ctx, readSession(ctx, session), {
          number,
          month: 12,
          year: 2034,
          cvc: '123',
          name: 'Sam Buyer',
          country: 'GB',
          postcode: 'SE1 6ET',
        }),
      ),
    answerBank: (session, isApproved) =>
      ctx.store.atomically(() => answerChallenge(ctx, readSession(ctx, session), isApproved)),
    approve: (order, outcome = 'pay') => {
      ctx.store.atomically(() => approveOrder(ctx, order, outcome))
    },
    ...commandsOf(sandbox),
    deliverDue: async () => {
      sandbox.tick()
      // Runs twice, because a round that began before the latest events may be under way.
      await sandbox.deliveries.run()
      await sandbox.deliveries.run()
    },
    [Symbol.asyncDispose]: async () => {
      // Events under way are still recorded; a test may have closed the sandbox before.
      if (!isClosed) await sandbox.deliveries.run()
      isClosed = true
      await serving.stop()
      sandbox.close()
    },
  }
}

/** A response as received; `json` is its body. */
export type Wire = { status: number; json: unknown; headers: Headers }

type Call = { body?: string; headers?: Record<string, string>; signal?: AbortSignal }

async function send(url: string, init: RequestInit): Promise<Wire> {
  const response = await fetch(url, init)
  return { status: response.status, json: await response.json(), headers: response.headers }
}

/** Calls of the card protocol without the vendor's package, which would validate or retry them. */
export function stripeWire({ baseUrl: base, sandbox }: TestSandbox) {
  return (method: 'GET' | 'POST', path: string, { body, headers, ...rest }: Call = {}) =>
    send(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${sandbox.ctx.keys.secretKey}`,
        'stripe-version': '2026-10-28.endive',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...rest,
    })
}

/** Calls of the wallet protocol without the vendor's package, with their own token. */
export async function paypalWire({ baseUrl: base, sandbox }: TestSandbox) {
  const { clientId, clientSecret } = sandbox.ctx.keys
  const response = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const token: unknown = await response.json()
  const bearer = token instanceof Object && 'access_token' in token ? token.access_token : ''
  return (method: 'GET' | 'POST', path: string, { body, headers, ...rest }: Call = {}) =>
    send(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${String(bearer)}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...rest,
    })
}
