import { once } from 'node:events'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { type Act, actAll } from './visits-race.ts'

// One of several processes on one database: says that it is ready, waits for a word, acts, tells.

type Job = { url: string; acts: Act[] }

function readJob(text: string | undefined): Job {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test that starts us
  return JSON.parse(text ?? '') as Job
}

const { url, acts } = readJob(process.argv[2])
const database = openDatabase(url, { poolSize: 8 })
const testApp = await makeTestApp({ database, newId })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const told = await actAll(testApp, acts)
process.stdout.write(`${JSON.stringify(told)}\n`)
await database.close()
process.exit(0)
