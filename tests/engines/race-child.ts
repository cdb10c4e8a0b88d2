import { createInterface } from 'node:readline'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { type BookingAttempt, raceToBook } from './booking-race.ts'
import { type Attempt, attemptAll, performAll, type VisitAction } from './race-acts.ts'

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

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const results = await runJob(parseJob(line.value), () => lines.next())
  process.stdout.write(`${JSON.stringify(results)}\n`)
}
process.exit(0)
