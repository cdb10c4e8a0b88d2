import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type Bar, type BenchOptions, type Measure, percentile, type Times } from '#bench/bar.ts'
import { NOW } from '#bench/data.ts'
import type { Told } from '#bench/night-child.ts'
import { fillNight, type NightSpec } from '#bench/night-data.ts'
import { copyProviders } from '#bench/postgis.ts'
import { DEFAULT, fullSearch, type Question, questions } from '#bench/searching.ts'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { startPrimary } from '#scripts/topology/postgres.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import { realEnvironment } from '#tests/harness/servers/server-process.ts'

const child = join(import.meta.dirname, '..', 'night-child.ts')
const SPECIALTIES = 30

/** Jobs with much work at night, or that search all visits for their work. */
const NIGHTLY = [
  'extend-slots',
  'withdraw-slots',
  'recheck-standings',
  'compare-books',
  'remind',
  'complete-visits',
  'settle-no-shows',
  'return-late-fees',
  'refresh-next-free',
  'forget-events',
  'forget-delivered',
  'forget-purposes',
]
const ALONE_MS = 10_000

/** Jobs first run a second after the loop starts. */
const BEFORE_JOBS_MS = 1_500

const FULL = { providers: 1_000_000, visits: 10_000_000, turns: 5, turnMs: 20_000 }
/** A hundredth of the full run, with enough searches for a 95th percentile. */
const QUICK = { providers: 10_000, visits: 100_000, turns: 3, turnMs: 4_000 }

/** Suited to ten million visits on a dedicated machine; generated data may be lost in a crash. */
const SETTINGS = [
  'shared_buffers=1GB',
  'effective_cache_size=8GB',
  'random_page_cost=1.1',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'max_wal_size=1GB',
  'fsync=off',
  'jit=off',
]

const Answer = z.object({ answered: z.unknown() })
const JobRun = z.object({ seconds: z.number(), isOver: z.boolean() })

/** The process for jobs, which runs them only when told to. */
class Jobs {
  readonly #process: ChildProcess
  /** Rejects when the process exits by itself. */
  readonly #ended: Promise<never>

  constructor(process: ChildProcess) {
    this.#process = process
    this.#ended = once(process, 'exit').then(() => {
      throw new Error('The process for jobs ended.')
    })
    this.#ended.catch(() => undefined)
  }

  static async start(env: NodeJS.ProcessEnv): Promise<Jobs> {
    const process = fork(child, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const jobs = new Jobs(process)
    await jobs.#answer()
    return jobs
  }

  async #answer(): Promise<unknown> {
    const message: unknown = await Promise.race([
      new Promise((resolve) => this.#process.once('message', resolve)),
      this.#ended,
    ])
    return Answer.parse(message).answered
  }

  #tell(what: Told): Promise<unknown> {
    const answer = this.#answer()
    this.#process.send(what)
    return answer
  }

  /** Starts all jobs, each on its own schedule. */
  async begin(): Promise<void> {
    await this.#tell({ do: 'start' })
  }

  async stop(): Promise<void> {
    const failed = z.array(z.string()).parse(await this.#tell({ do: 'stop' }))
    if (failed.length > 0) throw new Error(`Jobs failed: ${failed.join(', ')}`)
  }

  async runAlone(job: string, mostMs: number) {
    return JobRun.parse(await this.#tell({ do: 'alone', job, mostMs }))
  }

  async end(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.disconnect()
    await ended
  }
}

/** Rows still due for the jobs that take all night, by job name. */
async function countDue({ db }: Database): Promise<Map<string, number>> {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*)::int from schedules where extend_at <= ${NOW}) as "extend-slots",
    (select count(*)::int from schedules where withdraw_at <= ${NOW}) as "withdraw-slots",
    (select count(*)::int from provider_standings where due_at <= ${NOW}) as "recheck-standings"`.execute(
    db,
  )
  return new Map(Object.entries(rows[0] ?? {}))
}

type SearchTimes = { alone: Times; beside: Times }

async function alternateSearches(
  database: Database,
  jobs: Jobs,
  { asked, turns, turnMs }: { asked: Question[]; turns: number; turnMs: number },
): Promise<SearchTimes> {
  const times: SearchTimes = { alone: [], beside: [] }
  let at = 0
  const search = async (into: Times) => {
    const until = performance.now() + turnMs
    while (performance.now() < until) {
      const question = asked[at++ % asked.length]
      if (question === undefined) return
      const start = performance.now()
      await fullSearch({ database }, question, DEFAULT)
      into.push(performance.now() - start)
    }
  }
  // The first turn only warms the caches.
  for (let turn = 0; turn <= turns; turn += 1) {
    await search(turn === 0 ? [] : times.alone)
    await jobs.begin()
    await sleep(BEFORE_JOBS_MS)
    await search(turn === 0 ? [] : times.beside)
    await jobs.stop()
  }
  return times
}

/** Runs each of the product's nightly jobs alone and reports how long it takes or would take to finish. */
async function reportJobs(database: Database, jobs: Jobs, { say }: BenchOptions): Promise<void> {
  for (const job of NIGHTLY) {
    const before = (await countDue(database)).get(job)
    const { seconds, isOver } = await jobs.runAlone(job, ALONE_MS)
    const done = (before ?? 0) - ((await countDue(database)).get(job) ?? 0)
    if (isOver) say(`${job}: ${seconds.toFixed(2)} s`)
    else if (before === undefined) say(`${job}: more than ${seconds.toFixed(0)} s`)
    else {
      const minutes = ((seconds / 60) * before) / done
      say(
        `${job}: ${done} of ${before} in ${seconds.toFixed(0)} s, all in ${minutes.toFixed(0)} min`,
      )
    }
  }
}

type PrepareOptions = { folder: string; size: NightSpec; options: BenchOptions }

async function prepare(
  database: Database,
  { folder, size, options }: PrepareOptions,
): Promise<void> {
  await migrateToLatest(database)
  const spec = { providers: size.providers, specialties: SPECIALTIES, slots: 0 }
  await copyProviders(spec, { to: database, folder }, options)
  options.say(`Making ${size.visits} visits`)
  await fillNight(database, size)
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const size = options.quick ? QUICK : FULL
  const folder = await mkdtemp(join(tmpdir(), 'apposite-night-'))
  // Postgres may run as another user, which needs access to its files.
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'data'))
  await using sandbox = await startSandbox({ now: Date.now })
  const node = await startPrimary({ folder, settings: SETTINGS })
  const database = openDatabase(node.url)
  let jobs: Jobs | undefined
  try {
    await prepare(database, { folder, size, options })
    const env = {
      ...(await realEnvironment(sandbox, join(folder, 'data'))),
      PATH: process.env['PATH'],
      ROLE: 'jobs',
      SMTP_URL: 'smtp://127.0.0.1:1',
      DATABASE_URL: node.url,
    }
    jobs = await Jobs.start(env)
    const asked = await questions(4_000, SPECIALTIES)
    await reportJobs(database, jobs, options)
    options.say('Searching, with all jobs and without them')
    const { alone, beside } = await alternateSearches(database, jobs, { ...size, asked })
    return ([0.5, 0.95] as const).map(
      (share): Measure => ({
        name: `search beside the jobs of a night against without, p${share * 100}`,
        ours: percentile(beside, share),
        limit: percentile(alone, share),
        unit: 'ms',
        bar: { atMost: 1.25 },
      }),
    )
  } finally {
    await jobs?.end()
    await database.close()
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const bar: Bar = { no: 24, title: 'Nightly jobs beside the search, on Postgres', run }
