import { isDatabaseOut, isUnreachable } from '#db/failures.ts'
import { MAX_LAG_MS, type Replica } from '#db/replica.ts'
import type { Context } from './context.ts'

/** Cookie of a browser that has just changed something, or tried to: a held time, say. */
const RECENT_WRITE = 'recent_write'

/** Longer than the replica may be behind, with the time a read takes. */
const RECENT_SECONDS = MAX_LAG_MS / 1_000 + 5

/** Marker of a browser that is signed in; rendered pages know nothing else of a session. */
const SIGNED_IN = 'user_id'

/** From here on, for a while, whoever sends this request reads the primary. */
export function rememberWrite({ database, reply }: Context): void {
  if (database.replica !== null) reply.cookie(RECENT_WRITE, '1', { maxAge: RECENT_SECONDS })
}

/** Nobody finds what they have just written as it was before; to whoever is unknown nothing is new. */
function readsOwnWrites({ viewer, client: { cookies } }: Context): boolean {
  return viewer.kind !== 'visitor' || cookies.has(SIGNED_IN) || cookies.has(RECENT_WRITE)
}

/** The replica, where there is one that this request may read now. */
export function readerOf(ctx: Context): Replica | null {
  const { replica } = ctx.database
  return replica !== null && replica.isFresh() && !readsOwnWrites(ctx) ? replica : null
}

/**
 * Whether a read failed because of where it was made, so that the primary may do better: the replica is
 * gone, or its replay could not wait for the read. One that is gone is not asked again until it is measured.
 */
export function failedAt(replica: Replica, cause: unknown): boolean {
  if (isUnreachable(cause)) replica.leave()
  return isDatabaseOut(cause)
}

/** Counts a public read, in installations with a replica. */
export function countRead(
  { database, metrics }: Context,
  from: 'replica' | 'primary' | 'retried',
): void {
  if (database.replica !== null) metrics.publicReads.inc({ from })
}
