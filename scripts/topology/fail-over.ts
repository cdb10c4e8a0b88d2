import { setTimeout as sleep } from 'node:timers/promises'
import { startStandby } from './postgres.ts'
import { makeSynchronous, promote } from './standby.ts'
import type { Topology } from './start-topology.ts'

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
 * Does what docs/operating.md tells an operator whose primary is lost for good: it is killed with -9, the
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
