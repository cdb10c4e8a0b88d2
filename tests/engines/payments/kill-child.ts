import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { openDatabase } from '#db/engine.ts'
import { isBusy } from '#db/failures.ts'
import type { SandboxAccess } from '#server/gateways/payment-gateways.ts'
import { listen } from '#server/http/listen.ts'
import { startJobs } from '#server/jobs/loop.ts'
import { jobsFor } from '#server/jobs/registry.ts'
import { newId } from '#server/kernel/ids.ts'
import type { AccountRef } from '#tests/harness/accounts.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { Dice } from './crashes.ts'
import { isExpectedError, isExpectedLogEntry } from './payment-storm.ts'
import { type OfferedSlot, UserActions } from './storm-people.ts'

// One of two servers on one database that are killed repeatedly: receives webhooks, runs jobs, and simulates
// people who book and pay. Its clock, including the jobs', runs faster than real time.

export type KillJob = {
  url: string
  seed: number
  access: SandboxAccess
  /** When the clock started to run faster, and by what factor. */
  epoch: number
  rate: number
  patients: AccountRef[]
  offers: OfferedSlot[]
}

/** Current time of all processes of a run, in epoch milliseconds. */
export function fastClock({ epoch, rate }: Pick<KillJob, 'epoch' | 'rate'>): () => number {
  return () => Math.round(epoch + (Date.now() - epoch) * rate)
}

const MIN_WAIT_MS = 100
const CONCURRENCY = 3
const PAYMENT_JOBS = /^(?:outbox|process-events|sweep-holds|reconcile|run-refunds|compare-books)/

/** Reports an error to the parent process, which fails because of it. */
function reportDefect(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)
  process.stdout.write(`${JSON.stringify({ defect: text })}\n`)
}

/**
 * Removes the delays of Stripe's package between retries, which use the real clock: a second there is half a
 * minute here.
 */
function removeRetryDelays(): void {
  Stripe.prototype.getInitialNetworkRetryDelay = () => 0
  Stripe.prototype.getMaxNetworkRetryDelay = () => 0
}

async function runChild(job: KillJob): Promise<void> {
  // Exits when the parent process is gone.
  process.stdin.resume().once('end', () => process.exit())
  removeRetryDelays()
  const { url, seed, rate, access, patients, offers } = job
  const dice = new Dice(seed)
  const database = openDatabase(url, { poolSize: 8 })
  const sandbox = { access: () => Promise.resolve(access) }
  const { services, app, logged } = await makeTestApp({
    database,
    newId,
    sandbox,
    clock: fastClock(job),
  })
  const { port } = await listen(app, { ...services.config, host: '127.0.0.1', port: 0 })
  const jobs = jobsFor(services.config)
    .filter(({ name }) => PAYMENT_JOBS.test(name))
    .map((one) => ({ ...one, everyMs: Math.max(MIN_WAIT_MS, one.everyMs / rate) }))
  startJobs(services, jobs)
  process.stdout.write(`${JSON.stringify({ port })}\n`)
  // Written now, because a killed process writes nothing when it ends.
  flushCompileCache()

  const isApproved = async (session: string) =>
    (await services.gateways.paypal.read({ session, gwPayment: null })).state === 'approved'
  const people = new UserActions({ services, dice, tally: {}, patients, offers, isApproved })
  const act = () =>
    dice.weigh<() => Promise<void>>([
      [22, () => people.hold()],
      [14, () => people.press('stripe')],
      [12, () => people.press('paypal')],
      [16, () => people.capture()],
      [6, () => people.look()],
      [3, () => people.leaveOrRenew()],
      [2, () => people.refund()],
    ])
  const go = async () => {
    for (;;) {
      await act()().catch((error: unknown) => {
        if (!isExpectedError(error) && !isBusy(error)) reportDefect(error)
      })
      for (const { level, err, ...line } of logged.splice(0)) {
        if (level === 50 && !isExpectedLogEntry(err)) reportDefect({ err, ...line })
      }
      await sleep(dice.below(20))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, go))
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts us
if (process.argv[2] !== undefined) await runChild(JSON.parse(process.argv[2]) as KillJob)
