/**
 * Starts the installation of compose.yaml on this machine without containers: Postgres, PgBouncer where
 * it is installed, a standby with `--standby`, two processes for requests and one for jobs, with a
 * sandbox for payments and some made-up providers. Prints their addresses; Ctrl-C stops them all.
 *
 *     npm run topology -- [--standby] [--no-pgbouncer] [--keep]
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { startSandbox, type TestSandbox } from '#tests/harness/servers/sandbox.ts'
import { freePort, realEnvironment } from '#tests/harness/servers/server-process.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import type { CommandLine } from './bootstrap/command-line.mjs'
import { TOOLS } from './commands.ts'
import { makeOffers } from './drill/journeys.ts'
import { runCommand } from './run-command.ts'
import { findPgbouncer, type Pgbouncer, startPgbouncer } from './topology/pgbouncer.ts'
import {
  makeSynchronous,
  type PostgresNode,
  promote,
  startPrimary,
  startStandby,
} from './topology/postgres.ts'
import { AppProcess } from './topology/processes.ts'

/** Everything compose.yaml starts except the proxy, as processes on this machine. */
export type Topology = {
  /** After a fail-over, the former standby. */
  primary: PostgresNode
  /** All Postgres servers, including those that are gone; any that are added end with the rest. */
  nodes: PostgresNode[]
  /** Null without one; the processes for requests read from it where they can. */
  standby: PostgresNode | null
  /** Null where it is not installed: then the processes connect to Postgres directly. */
  pgbouncer: Pgbouncer | null
  web: AppProcess[]
  jobs: AppProcess
  /** The settings that all processes share, with the keys to their data. */
  env: Record<string, string>
  [Symbol.asyncDispose](): Promise<void>
}

export type TopologyOptions = {
  /** Logs and data are kept here; other users must be able to enter it. */
  folder: string
  /** Replaces both payment gateways. */
  sandbox: TestSandbox
  hasStandby: boolean
  /** Uses PgBouncer where it is installed. */
  hasPgbouncer: boolean
  /** Postgres settings, such as `fsync=off`. */
  postgres?: string[]
  say: (line: string) => void
}

const WEB = ['web-1', 'web-2']

type TopologyParts = Omit<Topology, typeof Symbol.asyncDispose>

async function startBehindPgbouncer(
  ends: AsyncDisposableStack,
  options: TopologyOptions,
  primary: PostgresNode,
) {
  const { folder, hasPgbouncer, say } = options
  const program = findPgbouncer()
  if (!hasPgbouncer || program === null) {
    say(hasPgbouncer ? 'PgBouncer is not installed: doing without' : 'Doing without PgBouncer')
    return null
  }
  say('Starting PgBouncer')
  return ends.adopt(await startPgbouncer(program, primary, folder), (one) => one.stop())
}

/** Stops a standby before the server it follows, which would wait for it. */
async function stopNodes(nodes: readonly PostgresNode[]): Promise<void> {
  for (const node of nodes.toReversed()) await node.stop()
}

/** The first process migrates the schema; the others find it up to date. */
async function startProcesses(
  ends: AsyncDisposableStack,
  processes: readonly AppProcess[],
): Promise<void> {
  for (const one of processes) {
    ends.defer(async () => {
      await one.terminate()
    })
    await one.start()
  }
}

async function start(ends: AsyncDisposableStack, options: TopologyOptions): Promise<TopologyParts> {
  const { folder, sandbox, hasStandby, postgres = [], say } = options
  await mkdir(join(folder, 'data'), { recursive: true })
  // Postgres and PgBouncer may run as another user, and must be able to reach their files.
  await chmod(folder, 0o755)
  const mail = ends.use(await startSmtpServer())
  say('Starting Postgres')
  const nodes = ends.adopt<PostgresNode[]>([], stopNodes)
  const primary = await startPrimary({ folder, settings: postgres })
  nodes.push(primary)
  const pgbouncer = await startBehindPgbouncer(ends, options, primary)
  if (hasStandby) say('Starting a standby')
  const standby = hasStandby ? await startStandby(primary) : null
  if (standby !== null) {
    nodes.push(standby)
    await makeSynchronous(primary, standby)
  }
  const env = {
    ...(await realEnvironment(sandbox, join(folder, 'data'))),
    LOG_LEVEL: 'warn',
    SMTP_URL: mail.url,
    // Callers state their network in a header, as a proxy would.
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: (pgbouncer ?? primary).url,
  }
  const reads: Record<string, string> = standby === null ? {} : { DATABASE_READ_URL: standby.url }
  const make = async (name: string, more: Record<string, string>) => {
    const log = join(folder, `${name}.log`)
    return new AppProcess({ name, port: await freePort(), env: { ...env, ...more }, log })
  }
  const web = await Promise.all(WEB.map((name) => make(name, { ROLE: 'web', ...reads })))
  const jobs = await make('jobs', { ROLE: 'jobs' })
  say('Starting two processes for requests and one for jobs')
  await startProcesses(ends, [...web, jobs])
  return { primary, nodes, standby, pgbouncer, web, jobs, env }
}

/**
 * Starts Postgres, PgBouncer where it is installed, a standby if wanted, two processes for requests and
 * one for jobs, each on a free port. Everything ends with `await using`, or when something does not start.
 */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const ends = new AsyncDisposableStack()
  try {
    const made = await start(ends, options)
    return { ...made, [Symbol.asyncDispose]: () => ends.disposeAsync() }
  } catch (error) {
    await ends.disposeAsync()
    throw error
  }
}

/**
 * Processes learn of a new address only from their settings: they are restarted with it, without a replica.
 */
async function restartProcesses({ web, jobs, primary }: Topology): Promise<void> {
  for (const one of [...web, jobs]) {
    const { DATABASE_READ_URL: _replica, ...env } = one.env
    one.change({ env: { ...env, DATABASE_URL: primary.url } })
    const code = await one.terminate()
    if (code !== 0) throw new Error(`${one.name} ended with ${code} when it was asked to stop`)
    await one.startAgain()
  }
}

/**
 * Does what docs/operating.md tells an operator to do when the primary is lost for good: it is killed with -9, the
 * standby takes its place `afterMs` later, and PgBouncer or the processes' setting points to it.
 */
export async function failOver(topology: Topology, afterMs: number): Promise<void> {
  const { primary, standby, pgbouncer } = topology
  if (standby === null) throw new Error('There is no standby that could take over.')
  await primary.kill()
  await sleep(afterMs)
  await promote(standby)
  topology.primary = standby
  topology.standby = null
  if (pgbouncer === null) await restartProcesses(topology)
  else await pgbouncer.leadTo(standby)
}

/** Adds a standby copied from the current primary, in place of a lost one, and waits for it. */
export async function addStandby(topology: Topology, name: string): Promise<void> {
  const standby = await startStandby(topology.primary, name)
  topology.nodes.push(standby)
  topology.standby = standby
  await makeSynchronous(topology.primary, standby)
}

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

async function main({ values }: CommandLine<typeof TOOLS.topology>): Promise<number> {
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
    return 0
  } finally {
    if (values.keep) printLine(`Logs and data are in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await runCommand(TOOLS.topology, main)
