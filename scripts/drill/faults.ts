import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type PostgresNode, pauseReplay, type StopMode } from '#scripts/topology/postgres.ts'
import type { AppProcess } from '#scripts/topology/processes.ts'
import { addStandby, failOver, type Topology } from '#scripts/topology.ts'
import type { Tally } from './caller.ts'

const MINUTE_MS = 60_000
/** How long the standby falls behind. */
const LAG_MS = 30_000
/** How long the primary is down before the standby is promoted. */
const FAIL_OVER_DELAY_MS = 4_000
/** How long a report holds the tables the migration changes: the migration has to wait, and let others proceed. */
const REPORT_MS = 8_000

/** The server with one more migration. */
const NEXT_VERSION = join(import.meta.dirname, '../../tests/engines/next-version.ts')

/** A fault of the installation, at a given time after the load has started. */
export type Fault = {
  atMs: number
  what: string
  /** What it waits for: the earlier faults of processes, nothing, or all earlier faults. */
  after: 'processes' | 'nothing' | 'everything'
  act: () => Promise<void>
}

/** The parameters of a plan. */
export type Run = { topology: Topology; lengthMs: number; tally: Tally }

async function killAndRestart(one: AppProcess): Promise<void> {
  await one.kill()
  await one.startAgain()
}

async function lagStandby({ standby }: Topology, ms: number): Promise<void> {
  if (standby === null) return
  await pauseReplay(standby, true)
  await sleep(ms)
  await pauseReplay(standby, false)
}

/** Records how long something took, so that what clients met meanwhile can be reported. */
async function timed(tally: Tally, what: string, act: () => Promise<number | undefined>) {
  const from = performance.now()
  const lockMs = await act()
  tally.spans.push({
    what,
    from,
    to: performance.now(),
    ...(lockMs === undefined ? {} : { lockMs }),
  })
}

/**
 * Rolls out a new version with a migration, one process after the other: each finishes its work, and the next
 * waits for it. Until the last one, both versions are running.
 */
async function rollOut({ primary, web, jobs }: Topology): Promise<number> {
  const replace = async () => {
    for (const one of [...web, jobs]) {
      const code = await one.terminate()
      if (code !== 0) throw new Error(`${one.name} ended with ${code} when it was asked to stop`)
      one.change({ main: NEXT_VERSION })
      await one.startAgain()
    }
  }
  return longestLockWait(primary, async () => {
    await Promise.all([report(primary, REPORT_MS), replace()])
  })
}

/** The primary is lost, the standby takes over, and the lost one is rebuilt as a standby. */
function planFailOver({ topology, tally }: Run, atMs: number): Fault[] {
  return [
    {
      atMs,
      what: 'the primary is killed with -9 for good, and the standby takes over',
      after: 'everything',
      act: () =>
        timed(tally, 'fail-over', async () => {
          await failOver(topology, FAIL_OVER_DELAY_MS)
          return undefined
        }),
    },
    {
      atMs,
      what: 'the lost primary is rebuilt as a standby',
      after: 'everything',
      act: () => addStandby(topology, 'standby-2'),
    },
  ]
}

/**
 * What happens in a run of `lengthMs`: a process killed each minute (in a short run each third of it),
 * Postgres restarted twice, the standby behind for 30 seconds at most, a new version with a migration, and
 * the primary lost.
 */
export function planFaults(run: Run): Fault[] {
  const { topology, lengthMs, tally } = run
  const { web, jobs, standby } = topology
  const restart = (part: number, mode: StopMode): Fault => ({
    atMs: part * lengthMs,
    what: `Postgres restarts (${mode})`,
    after: 'nothing',
    act: () => topology.primary.restart(mode),
  })
  const everyMs = Math.min(MINUTE_MS, lengthMs / 3)
  const victims = [web[0], jobs, web[1]].filter((one) => one !== undefined)
  const kills = Array.from({ length: Math.floor(lengthMs / everyMs) }, (_, n): Fault[] => {
    const victim = victims[n % victims.length]
    if (victim === undefined) return []
    const act = () => killAndRestart(victim)
    const what = `${victim.name} is killed with -9`
    return [{ atMs: (n + 0.4) * everyMs, what, after: 'processes', act }]
  })
  const behindMs = Math.min(LAG_MS, lengthMs / 4)
  const behind: Fault = {
    atMs: 0.45 * lengthMs,
    what: `the standby falls behind ${Math.round(behindMs / 1_000)} s`,
    after: 'nothing',
    act: () => lagStandby(topology, behindMs),
  }
  const next: Fault = {
    atMs: 0.8 * lengthMs,
    what: 'a new version with a migration is rolled out',
    after: 'processes',
    act: () => timed(tally, 'rollout', () => rollOut(topology)),
  }
  return [
    ...kills.flat(),
    restart(0.3, 'fast'),
    restart(0.6, 'immediate'),
    next,
    ...(standby === null ? [] : [behind, ...planFailOver(run, 0.92 * lengthMs)]),
  ].toSorted((one, other) => one.atMs - other.atMs)
}

type FaultLog = { now: () => number; note: (what: string) => void; failed: (why: string) => void }

/** Runs every fault at its time, or when what it waits for is over; the other faults go on meanwhile. */
export async function runFaults(faults: readonly Fault[], { now, note, failed }: FaultLog) {
  const start = now()
  let processes = Promise.resolve()
  let all: Promise<unknown> = processes
  const run = async ({ what, act }: Fault) => {
    note(what)
    await act().catch((error: unknown) => failed(`${what}: ${String(error)}`))
  }
  for (const fault of faults) {
    await sleep(Math.max(0, fault.atMs - (now() - start)))
    const { after } = fault
    const before = { processes, nothing: Promise.resolve(), everything: all }[after]
    const running = before.then(() => run(fault))
    all = Promise.all([all, running])
    if (after !== 'nothing') processes = running
  }
  await all
}

const SAMPLE_MS = 25

/**
 * Locks that requests wait for; a migration takes stronger ones, and an index build waits for old
 * transactions.
 */
const LONGEST_WAIT = sql<{ ms: number | null }>`
  select max(extract(epoch from clock_timestamp() - waitstart) * 1000)::int8 as ms
  from pg_locks
  where not granted and (locktype in ('transactionid', 'tuple')
    or mode in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock'))`

/** Samples while `work` runs. Returns the longest that a request waited for a lock, in milliseconds. */
async function longestLockWait(primary: PostgresNode, work: () => Promise<void>): Promise<number> {
  const over = new AbortController()
  let longest = 0
  const watch = primary.ask(async ({ db }) => {
    while (!over.signal.aborted) {
      const { rows } = await LONGEST_WAIT.execute(db)
      longest = Math.max(longest, rows[0]?.ms ?? 0)
      await sleep(SAMPLE_MS)
    }
  })
  await Promise.all([watch, work().finally(() => over.abort())])
  return longest
}

/** Acts like a report: reads a table in a transaction that stays open this long. */
async function report(primary: PostgresNode, ms: number): Promise<void> {
  await primary.ask((database) =>
    database.transaction(async (db) => {
      await db.selectFrom('bookings').select('no').limit(1).execute()
      await sleep(ms)
    }),
  )
}
