import type { Services } from '#server/context.ts'
import type { Job } from './loop.ts'

const EVERY_MS = 1_000

/**
 * Measures the replica from every process, because reachability can differ. Only changes are logged, or a
 * night without a standby would fill the log.
 */
export function replicaJob(): Job {
  let wasRead: boolean | null = null

  const run = async ({ database: { replica }, log }: Services) => {
    if (replica === null) return
    const failure = await replica.measure().then(
      () => null,
      (error: unknown) => error,
    )
    const isRead = replica.isFresh()
    if (isRead === wasRead) return
    wasRead = isRead
    if (isRead) log.info('public reads go to the replica')
    else log.warn({ err: failure, lagMs: replica.lagMs() }, 'public reads go to the primary')
  }

  return { name: 'measure-replica', everyMs: EVERY_MS, run }
}
