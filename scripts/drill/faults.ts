import { setTimeout as sleep } from 'node:timers/promises'
import type { AppProcess } from '#scripts/topology/app-process.ts'
import { pauseReplay, type StopMode } from '#scripts/topology/postgres.ts'
import type { Topology } from '#scripts/topology/start-topology.ts'

const MINUTE_MS = 60_000
/** How long the standby falls behind. */
const BEHIND_MS = 30_000
/** A supervisor starts a process that has ended again; so often, and then somebody is told. */
const STARTS = 5

/** Something that happens to the installation, so long after the load has begun. */
export type Fault = { atMs: number; what: string; act: () => Promise<void> }

/** Starts a process as a supervisor does: again, when it ends before it is healthy. */
async function startAgain(one: AppProcess): Promise<void> {
  for (let left = STARTS; ; left -= 1) {
    try {
      await one.start()
      return
    } catch (error) {
      if (left === 1) throw error
    }
  }
}

async function killAndStart(one: AppProcess): Promise<void> {
  await one.kill()
  await startAgain(one)
}

async function fallBehind({ standby }: Topology, ms: number): Promise<void> {
  if (standby === null) return
  await pauseReplay(standby, true)
  await sleep(ms)
  await pauseReplay(standby, false)
}

/** A new version, one process after the other: each ends what it is doing, and the next waits for it. */
async function rollOut({ web, jobs }: Topology): Promise<void> {
  for (const one of [...web, jobs]) {
    const code = await one.terminate()
    if (code !== 0) throw new Error(`${one.name} ended with ${code} when it was asked to stop`)
    await startAgain(one)
  }
}

/**
 * What happens in a run of `lengthMs`: a process killed each minute (in a short run each third of it),
 * Postgres restarted twice, the standby behind for 30 seconds at most, and a new version at the end.
 */
export function planFaults(topology: Topology, lengthMs: number): Fault[] {
  const { web, jobs, primary, standby } = topology
  const restart = (part: number, mode: StopMode): Fault => ({
    atMs: part * lengthMs,
    what: `Postgres restarts (${mode})`,
    act: () => primary.restart(mode),
  })
  const everyMs = Math.min(MINUTE_MS, lengthMs / 3)
  const victims = [web[0], jobs, web[1]].filter((one) => one !== undefined)
  const kills = Array.from({ length: Math.floor(lengthMs / everyMs) }, (_, n): Fault[] => {
    const victim = victims[n % victims.length]
    if (victim === undefined) return []
    const act = () => killAndStart(victim)
    return [{ atMs: (n + 0.4) * everyMs, what: `${victim.name} is killed with -9`, act }]
  })
  const behindMs = Math.min(BEHIND_MS, lengthMs / 4)
  const behind: Fault = {
    atMs: 0.45 * lengthMs,
    what: `the standby falls behind ${Math.round(behindMs / 1_000)} s`,
    act: () => fallBehind(topology, behindMs),
  }
  return [
    ...kills.flat(),
    restart(0.3, 'fast'),
    restart(0.6, 'immediate'),
    ...(standby === null ? [] : [behind]),
    { atMs: 0.85 * lengthMs, what: 'a new version is rolled out', act: () => rollOut(topology) },
  ].toSorted((one, other) => one.atMs - other.atMs)
}

type Told = { now: () => number; note: (what: string) => void; failed: (why: string) => void }

/**
 * Lets everything happen at its time. What happens to one process waits for what happened to it before;
 * the rest goes on meanwhile.
 */
export async function letHappen(faults: readonly Fault[], { now, note, failed }: Told) {
  const start = now()
  let processes = Promise.resolve()
  const others: Promise<void>[] = []
  const run = async ({ what, act }: Fault) => {
    note(what)
    await act().catch((error: unknown) => failed(`${what}: ${String(error)}`))
  }
  for (const fault of faults) {
    await sleep(Math.max(0, fault.atMs - (now() - start)))
    const isOfProcess = !/Postgres|standby/.test(fault.what)
    if (isOfProcess) processes = processes.then(() => run(fault))
    else others.push(run(fault))
  }
  await Promise.all([processes, ...others])
}
