import type { StandIn } from '#server/gateways/payment-gateways.ts'
import { type Command, obey } from '#server/sandbox/control.ts'
import { accessOf } from '#server/sandbox/link.ts'
import { serveSandbox } from '#server/sandbox/listener.ts'
import { approveOrder } from '#server/sandbox/paypal-orders.ts'
import type { WalletOutcome } from '#server/sandbox/records.ts'
import { openSandbox, type Sandbox } from '#server/sandbox/sandbox.ts'
import { type Attempt, answerChallenge, attemptCard } from '#server/sandbox/stripe-charges.ts'
import { readSession } from '#server/sandbox/stripe-sessions.ts'

type SandboxOptions = {
  /** Epoch milliseconds; the world's clock, so that both agree. */
  now: () => number
  /** Where signed webhooks go, such as `(request) => world.app.fetch(request)`; nowhere by default. */
  deliver?: (request: Request) => Promise<Response>
}

/** A sandbox of one test: real listeners on a free port of this machine, books in memory. */
export type TestSandbox = {
  /** For `makeWorld({ standIn })`. */
  standIn: StandIn
  /** `http://127.0.0.1:…` of both protocols and the pages. */
  base: string
  /** Everything inside, for looking into the gateway's own books. */
  sandbox: Sandbox
  /** A patient submits the card form of a session. */
  payByCard(session: string, number?: string): Attempt
  /** The holder of the card answers their bank. */
  answerBank(session: string, isApproved: boolean): Attempt
  /** A patient agrees on the wallet's page. */
  approve(order: string, outcome?: WalletOutcome): void
  /** Faults, clock, resending: what the operator's page can do. */
  tell(command: Command): Promise<void>
  /** Lets time bring what it brings and sends every webhook that is due, once each. */
  deliverDue(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const nowhere = (): Promise<Response> => Promise.resolve(new Response(null, { status: 503 }))

/** Starts a sandbox. Use it with `await using`; it ends with the test. */
export async function startSandbox(options: SandboxOptions): Promise<TestSandbox> {
  const { deliver } = options
  const sandbox = openSandbox({
    file: ':memory:',
    now: options.now,
    target: () => (deliver === undefined ? null : 'http://localhost:3000'),
    send: deliver ?? nowhere,
  })
  const { desk } = sandbox
  const serving = await serveSandbox(sandbox, 0)
  const access = accessOf({ ...desk.keys, port: serving.port })
  return {
    standIn: { access: () => Promise.resolve(access) },
    base: `http://127.0.0.1:${serving.port}`,
    sandbox,
    payByCard: (session, number = '4242 4242 4242 4242') =>
      desk.store.atomically(() =>
        attemptCard(desk, readSession(desk, session), {
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
      desk.store.atomically(() => answerChallenge(desk, readSession(desk, session), isApproved)),
    approve: (order, outcome = 'pay') => {
      desk.store.atomically(() => approveOrder(desk, order, outcome))
    },
    tell: (command) => obey(sandbox, command),
    deliverDue: async () => {
      sandbox.tick()
      // A round may be under way that began before the latest events.
      await sandbox.deliveries.run()
      await sandbox.deliveries.run()
    },
    [Symbol.asyncDispose]: async () => {
      await serving.stop()
      sandbox.close()
    },
  }
}
