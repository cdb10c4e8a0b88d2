import * as z from 'zod/mini'
import { Failure } from '#sandbox/failure.ts'
import type { Services } from '#server/context.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { completeVisits } from '#server/outcomes/outcomes.ts'
import { processEvents, reconcile } from '#server/payments/events/process-events.ts'
import { sweepHolds } from '#server/payments/paying/close-payment.ts'
import { reconcileGateways } from '#server/payments/reconciliation/reconcile-gateways.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { returnLateFees } from '#server/visits/return-late-fees.ts'
import type { AccountRef } from '#tests/harness/accounts.ts'
import type { TestSandbox } from '#tests/harness/servers/sandbox.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { Crash, type Dice } from './crashes.ts'
import { findStuckHolds, isQuiet } from './payment-invariants.ts'
import { GatewayActions } from './storm-gateways.ts'
import { count, type OfferedSlot, type Tally, UserActions } from './storm-people.ts'

export type Storm = {
  testApp: TestApp
  sandbox: TestSandbox
  dice: Dice
  patients: readonly AccountRef[]
  offers: readonly OfferedSlot[]
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Expected errors: those shown to callers or on the gateways' pages, and simulated crashes. */
export function isExpectedError(error: unknown): boolean {
  return [Crash, AppError, UpstreamError, Failure].some((kind) => error instanceof kind)
}

const Logged = z.object({
  kind: z.optional(z.string()),
  errorCode: z.optional(z.string()),
  cause: z.optional(z.unknown()),
})

/** Whether a logged error is expected: a gateway is down, or the database is busy. */
export function isExpectedLogEntry(err: unknown): boolean {
  const { kind = '', errorCode = '', cause } = Logged.safeParse(err).data ?? {}
  const isExpectedKind =
    ['Crash', 'UpstreamError', 'BusyError'].includes(kind) || errorCode.startsWith('SQLITE_BUSY')
  // A webhook that could not be stored is answered with `busy`, whatever the cause.
  return isExpectedKind || (errorCode === 'busy' && isExpectedLogEntry(cause))
}

/** Runs each payment job once, as scheduled. */
async function runJobs(services: Services): Promise<void> {
  await processEvents(services)
  await sweepHolds(services)
  await reconcile(services)
  await runRefunds(services)
  await reconcileGateways(services)
}

type SettledSite = { testApp: TestApp; sandbox: TestSandbox }

async function pass({ testApp, sandbox }: SettledSite, ms: number): Promise<void> {
  testApp.advance(ms)
  await sandbox.deliverDue()
  await runJobs(testApp.services)
  await testApp.drainOutbox()
}

/**
 * Lets time pass with working gateways: an hour, a day with its daily reconciliation, and then, for a limited time,
 * until nothing is being processed. Whatever is still open afterwards stays open.
 */
export async function settleEverything(calm: SettledSite): Promise<void> {
  for (let round = 0; round < 6; round += 1) await pass(calm, 11 * MINUTE)
  await pass(calm, DAY)
  for (let round = 0; round < 30; round += 1) {
    await pass(calm, 11 * MINUTE)
    if (round > 3 && (await isQuiet(calm.testApp))) return
  }
}

/** After this time every visit has ended, and no outcome can change any more. */
const AFTER_ALL_VISITS = 20 * DAY

/** Completes all visits and refunds late fees of refilled times, in two processes at once. */
async function completeAllVisits(calm: SettledSite): Promise<void> {
  const { services } = calm.testApp
  calm.testApp.advance(AFTER_ALL_VISITS)
  await completeVisits(services)
  await Promise.all([returnLateFees(services), returnLateFees(services)])
  await settleEverything(calm)
}

/** Random concurrent actions of patients, staff, gateways, webhooks, jobs and crashes. */
export class RandomActions {
  readonly #storm: Storm
  readonly #people: UserActions
  readonly #gateways: GatewayActions
  readonly #acts: readonly (readonly [number, () => Promise<void>])[]
  readonly tally: Tally = {}
  /** Problems found during the storm. */
  readonly wrong: string[] = []

  constructor(storm: Storm) {
    const { testApp, sandbox, dice } = storm
    const { services } = testApp
    const { tally } = this
    const { store } = sandbox.sandbox.ctx
    const isApproved = (order: string) => store.find('order', order)?.status === 'APPROVED'
    const people = new UserActions({ ...storm, services, tally, isApproved })
    const gateways = new GatewayActions({ services, sandbox, dice, tally })
    this.#storm = storm
    this.#people = people
    this.#gateways = gateways
    this.#acts = [
      [22, () => people.hold()],
      [14, () => people.press('stripe')],
      [11, () => people.press('paypal')],
      [12, () => gateways.payByCard()],
      [8, () => gateways.approve()],
      [8, () => people.capture()],
      [5, () => people.look()],
      [3, () => people.leaveOrRenew()],
      [1.5, () => people.refund()],
      [2.5, () => people.cancel()],
      [4, () => people.takeAgain((session) => sandbox.payByCard(session))],
      [3, () => people.move()],
      [10, () => this.#job()],
      [3, () => gateways.fault()],
      [5, () => gateways.webhooks()],
      [1.5, () => gateways.executeLate()],
      [0.3, () => gateways.goAway()],
      [0.5, () => gateways.forget()],
      [1, () => gateways.refundByHand()],
      [0.5, () => gateways.dispute()],
      [5, () => this.#pass(6 * MINUTE)],
      [0.3, () => this.#pass(4 * HOUR)],
      [0.2, () => this.#longNight()],
    ]
  }

  #pass(most: number): Promise<void> {
    this.#storm.testApp.advance(this.#storm.dice.below(most))
    return Promise.resolve()
  }

  /** Requests a refund that gets no response; meanwhile the gateway drops its idempotency key. */
  async #longNight(): Promise<void> {
    const { dice, sandbox, testApp } = this.#storm
    const fault = dice.pick(['drop_before', 'drop_after', 'error_500_kept_done'] as const)
    const paths = ['/v1/refunds', '*/refund']
    await sandbox.fail(...paths.map((path) => ({ path, method: 'POST' as const, fault, times: 3 })))
    try {
      await this.#people.refund()
    } finally {
      // Nothing is in flight for a whole day.
      await sandbox.executeLate()
      testApp.advance(DAY + dice.below(6 * HOUR))
      count(this.tally, 'long nights')
    }
  }

  async #job(): Promise<void> {
    const { services } = this.#storm.testApp
    const jobs = [sweepHolds, sweepHolds, reconcile, runRefunds, processEvents, reconcileGateways]
    await this.#storm.dice.pick(jobs)(services)
    this.#findDefects()
  }

  /** Jobs log a defect and continue, so as not to block others; here it fails the test. */
  #findDefects(): void {
    const { logged } = this.#storm.testApp
    const defect = logged.find(({ level, err }) => level === 50 && !isExpectedLogEntry(err))
    if (defect !== undefined) throw new Error(JSON.stringify(defect))
  }

  /** Runs several actions at once; expected errors and crashes are ignored. */
  async blow(): Promise<void> {
    const { dice } = this.#storm
    await this.#gateways.comeBack()
    const acts = Array.from({ length: 1 + dice.below(4) }, async () => dice.weigh(this.#acts)())
    for (const outcome of await Promise.allSettled(acts)) {
      if (outcome.status === 'rejected' && !isExpectedError(outcome.reason)) throw outcome.reason
    }
  }

  /** Runs the sweep without a crash; afterwards no hold may outlive its limit. */
  async check(): Promise<void> {
    const { dice, testApp, sandbox } = this.#storm
    const chance = dice.crashChance
    const isFailing = sandbox.sandbox.faults.calls.length > 0
    dice.crashChance = 0
    await sweepHolds(testApp.services)
    this.wrong.push(...(await findStuckHolds(testApp, { sandbox, isFailing })))
    dice.crashChance = chance
  }

  async #countRefilled(): Promise<void> {
    const { db } = this.#storm.testApp.database
    const refilled = db.selectFrom('refunds').select('id').where('reason', '=', 'refilled')
    for (const _ of await refilled.execute()) count(this.tally, 'refilled')
  }

  /** Ends all faults and lets time pass until everything is processed. */
  async calm(): Promise<void> {
    const { dice, testApp, sandbox } = this.#storm
    dice.crashChance = 0
    await this.#gateways.calm()
    await settleEverything({ testApp, sandbox })
    await completeAllVisits({ testApp, sandbox })
    await this.#countRefilled()
    this.#findDefects()
  }
}
