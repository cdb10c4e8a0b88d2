/**
 * Starts the installation of compose.yaml on this machine without containers: Postgres, PgBouncer where
 * it is installed, a standby with `--standby`, two processes for requests and one for jobs, with a
 * sandbox for payments and some made-up providers. Prints their addresses; Ctrl-C stops them all.
 *
 *     npm run topology -- [--standby] [--no-pgbouncer] [--keep]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { makeOffers } from './drill/journeys.ts'
import { startTopology, type Topology } from './topology/start-topology.ts'

function printLine(line: string): void {
  stdout.write(`${line}\n`)
}

/** Adds providers with free times, and a patient; returns the patient's email address. */
async function createFixtures({ primary }: Topology): Promise<string> {
  const database = openDatabase(primary.url, { poolSize: 4 })
  try {
    await using testApp = await makeTestApp({ database, newId, clock: Date.now })
    await makeOffers(testApp, { providers: 40, count: 300 })
    const { email } = await makeAccount(testApp)
    return email
  } finally {
    await database.close()
  }
}

function printAddresses(
  { primary, standby, pgbouncer, web, jobs, env }: Topology,
  email: string,
): void {
  const addresses = [
    ['Postgres', primary.url],
    ['Standby', standby?.url],
    ['PgBouncer', pgbouncer?.url],
    ...web.map(({ name, url }) => [name, url]),
    [jobs.name, `${jobs.url}/healthz`],
    ['Sandbox', env['STRIPE_API_BASE']],
    ['Patient', `${email}, password: ${PASSWORD}`],
  ]
  for (const [name = '', where] of addresses)
    if (where !== undefined) printLine(`${name.padEnd(12)}${where}`)
  printLine('Ctrl-C stops all of them.')
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      pgbouncer: { type: 'boolean', default: true },
      standby: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  })
  // Also during startup: whatever has started is ended in order.
  const isOver = untilInterrupted()
  const folder = await mkdtemp(join(tmpdir(), 'apposite-topology-'))
  try {
    const at: { topology?: Topology } = {}
    await using sandbox = await startSandbox({
      now: Date.now,
      deliver: async (request) => {
        const { pathname } = new URL(request.url)
        const init = { method: 'POST', headers: request.headers, body: await request.text() }
        return fetch(`${at.topology?.web[0]?.url ?? ''}${pathname}`, init)
      },
    })
    const options = {
      folder,
      sandbox,
      hasStandby: values.standby,
      hasPgbouncer: values.pgbouncer,
      say: printLine,
    }
    await using topology = await startTopology(options)
    at.topology = topology
    printAddresses(topology, await createFixtures(topology))
    await isOver
    printLine('Stopping')
  } finally {
    if (values.keep) printLine(`Logs and data are in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

await main()
