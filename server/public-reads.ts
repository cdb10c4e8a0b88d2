import { isDatabaseDown, isUnreachable } from '#db/failures.ts'
import { MAX_LAG_MS, type Replica } from '#db/replica.ts'
import type { Context } from './context.ts'

/** Cookie of a browser that has recently attempted a write, such as holding a time. */
const RECENT_WRITE = 'recent_write'

/** Longer than the replica's maximum lag plus the duration of a read. */
const RECENT_SECONDS = MAX_LAG_MS / 1_000 + 5

/** Cookie that marks a signed-in browser; rendered pages know nothing else of a session. */
const SIGNED_IN = 'user_id'

/** Makes this client read from the primary for a while. */
export function rememberWrite({ database, reply }: Context): void {
  if (database.replica !== null) reply.cookie(RECENT_WRITE, '1', { maxAge: RECENT_SECONDS })
}

/**
 * Whether the request must see recent writes of its own; anonymous clients without a recent write have none.
 */
function readsOwnWrites({ viewer, client: { cookies } }: Context): boolean {
  return viewer.kind !== 'visitor' || cookies.has(SIGNED_IN) || cookies.has(RECENT_WRITE)
}

/** The replica, if there is one and this request may read from it now. */
export function usableReplica(ctx: Context): Replica | null {
  const { replica } = ctx.database
  return replica !== null && replica.isFresh() && !readsOwnWrites(ctx) ? replica : null
}

/**
 * Whether a read failed because of the replica, so that the primary may succeed: the replica is unreachable,
 * or replay cancelled the read. An unreachable replica is not used again until it has been measured.
 */
export function isReplicaFailure(replica: Replica, cause: unknown): boolean {
  if (isUnreachable(cause)) replica.leave()
  return isDatabaseDown(cause)
}

/** Counts a public read, in installations with a replica. */
export function countRead(
  { database, metrics }: Context,
  from: 'replica' | 'primary' | 'retried',
): void {
  if (database.replica !== null) metrics.publicReads.inc({ from })
}
