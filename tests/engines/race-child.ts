import { once } from 'node:events'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { type BookingAttempt, raceToBook } from './booking-race.ts'
import { type Attempt, attemptAll, performAll, type VisitAction } from './race-acts.ts'

// One of several processes on one database: reports ready, waits for a signal, runs its calls, reports the
// results.

/**
 * The job of one process in a race, and its database: holds for a crowd, changes of visits, or changes of
 * superusers.
 */
export type RaceJob = { url: string } & (
  | { wishes: BookingAttempt[] }
  | { acts: VisitAction[] }
  | { attempts: Attempt[] }
)

function readJob(text: string | undefined): RaceJob {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts us
  return JSON.parse(text ?? '') as RaceJob
}

const job = readJob(process.argv[2])
const database = openDatabase(job.url, { poolSize: 8 })
const testApp = await makeTestApp({ database, newId })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const results = await ('wishes' in job
  ? raceToBook(testApp.services, job.wishes)
  : 'acts' in job
    ? performAll(testApp, job.acts)
    : attemptAll(testApp, job.attempts))
process.stdout.write(`${JSON.stringify(results)}\n`)
await database.close()
process.exit(0)
