import { createInterface } from 'node:readline'
import { UserId } from '#contract/base/ids.ts'
import { openDatabase } from '#db/engine.ts'
import { isBusy } from '#db/failures.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { refund } from '#server/payments/refunds/refund.ts'
import { changeRole, removeSuperUser } from '#server/super-users/super-users.ts'
import { cancelVisit } from '#server/visits/cancel-visit.ts'
import { moveVisit } from '#server/visits/move-visit.ts'
import { type AccountRef, signedInAs } from '#tests/harness/accounts.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { type BookingAttempt, raceToBook } from './booking-race.ts'

/** An act on a visit of £60.00 that is still unchanged. */
export type VisitAction = { by: AccountRef; id: string } & (
  | { how: 'move'; startsAt: string }
  | { how: 'cancel' }
  | { how: 'refund'; paymentId: string; key: string }
)

function asStaff(testApp: TestApp, account: AccountRef, role: 'admin' | 'superuser') {
  const session = {
    ...signedInAs(testApp.services, account).session,
    kind: 'staff' as const,
    steppedUpUntil: testApp.services.now() + 1_000,
  }
  const viewer = { kind: 'staff' as const, id: account.id, role }
  return { ...testApp.context(viewer), viewer, session }
}

/** `done`, or the code of the refusal. */
async function resultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof AppError) return error.code
    if (isBusy(error)) return 'busy'
    throw error
  }
}

function perform(testApp: TestApp, act: VisitAction): Promise<unknown> {
  const { by, id, how } = act
  if (how === 'refund') {
    const { paymentId, key } = act
    const reason = 'The practice was closed that day.'
    const input = { paymentId, minor: 6_000, reason, key, releaseTime: true }
    return refund(asStaff(testApp, by, 'admin'), input)
  }
  const ctx = signedInAs(testApp.services, by)
  if (how === 'move') {
    return moveVisit(ctx, { id, sequence: 0, slot: { startsAt: act.startsAt } })
  }
  return cancelVisit(ctx, { id, sequence: 0, refund: { minor: 6_000, currency: 'GBP' } })
}

/** Runs all acts at once; returns `done` or the code of the refusal for each. */
function performAll(testApp: TestApp, acts: readonly VisitAction[]): Promise<string[]> {
  return Promise.all(acts.map((act) => resultOf(perform(testApp, act))))
}

/** Who removes or demotes which superuser. */
type Attempt = { by: AccountRef; whom: AccountRef; how: 'demote' | 'remove' }

function change(testApp: TestApp, { by, whom, how }: Attempt): Promise<unknown> {
  const ctx = asStaff(testApp, by, 'superuser')
  const id = UserId.parse(whom.id)
  return how === 'demote' ? changeRole(ctx, { id, role: 'admin' }) : removeSuperUser(ctx, { id })
}

/** Runs all attempts at once; returns the result of each. */
export function attemptAll(testApp: TestApp, attempts: readonly Attempt[]): Promise<string[]> {
  return Promise.all(attempts.map((one) => resultOf(change(testApp, one))))
}

/** `count` attempts in which each superuser removes or demotes the next one in the ring. */
export function ringOf(people: readonly AccountRef[], count: number): Attempt[] {
  return Array.from({ length: count }, (_, at) => {
    const by = people[at % people.length]
    const whom = people[(at + 1) % people.length]
    if (by === undefined || whom === undefined) throw new Error('The ring is empty.')
    return { by, whom, how: Math.floor(at / people.length) % 2 === 0 ? 'demote' : 'remove' }
  })
}

// One of several processes on one database. Each line it reads is a job: it reports ready, waits for another line as
// the signal, runs its calls and reports the results.

/**
 * The job of one process in a race, and its database: holds for a crowd, changes of visits, or changes of
 * superusers.
 */
export type RaceJob = { url: string } & (
  | { wishes: BookingAttempt[] }
  | { acts: VisitAction[] }
  | { attempts: Attempt[] }
)

function parseJob(text: string): RaceJob {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts us
  return JSON.parse(text) as RaceJob
}

async function runJob(job: RaceJob, signal: () => Promise<unknown>): Promise<string[]> {
  const database = openDatabase(job.url, { poolSize: 8 })
  try {
    await using testApp = await makeTestApp({ database, newId })
    process.stdout.write('ready\n')
    await signal()
    if ('wishes' in job) return await raceToBook(testApp.services, job.wishes)
    return 'acts' in job
      ? await performAll(testApp, job.acts)
      : await attemptAll(testApp, job.attempts)
  } finally {
    await database.close()
  }
}

if (import.meta.main) {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    const results = await runJob(parseJob(line.value), () => lines.next())
    process.stdout.write(`${JSON.stringify(results)}\n`)
  }
  process.exit(0)
}
