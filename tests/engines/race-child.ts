import { once } from 'node:events'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { raceFor, type Somebody, type Wish } from './race-crowd.ts'

// One of several processes on one database: says that it is ready, waits for a word, races, tells.

type Job = { url: string; wishes: Wish[] }

function readJob(text: string | undefined): Job {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts us
  return JSON.parse(text ?? '') as Job
}

const { url, wishes } = readJob(process.argv[2])
const database = openDatabase(url, { poolSize: 8 })
const testApp = await makeTestApp({ database, newId })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const verdicts = await raceFor(testApp.services, wishes satisfies { who: Somebody }[])
process.stdout.write(`${JSON.stringify(verdicts)}\n`)
await database.close()
process.exit(0)
