import { once } from 'node:events'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { type Attempt, attemptAll } from './superusers-race.ts'

// One of several processes on one database: says that it is ready, waits for a word, tries, tells.

type Job = { url: string; attempts: Attempt[] }

function readJob(text: string | undefined): Job {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts us
  return JSON.parse(text ?? '') as Job
}

const { url, attempts } = readJob(process.argv[2])
const database = openDatabase(url, { poolSize: 8 })
const testApp = await makeTestApp({ database, newId })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const told = await attemptAll(testApp, attempts)
process.stdout.write(`${JSON.stringify(told)}\n`)
await database.close()
process.exit(0)
