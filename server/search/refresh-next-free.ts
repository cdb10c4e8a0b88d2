import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Services } from '#server/context.ts'
import { lockIndex, updateNextFree, updateStaleNextFree } from './index-store.ts'

/** Small enough that no request waits long for the sweep. */
const BATCH = 200

type Sweeping = Pick<Services, 'database' | 'now'>

/**
 * Looks the first free slot up again wherever the clock has overtaken it. Searches are right
 * without it, because they check such rows themselves; it keeps them few.
 */
export async function refreshNextFree(ctx: Sweeping, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const now = ctx.now()
    const done = await ctx.database.transaction(async (db) => {
      // Many rows in no certain order: with another writer of many, each could wait for the other.
      await lockIndex(db)
      return updateStaleNextFree(db, now, BATCH)
    })
    if (done < BATCH || signal?.aborted === true) return
  }
}

/** Does the same for providers whose slots have changed, in the transaction that changed them. */
export async function refreshNextFreeOf(
  db: Db,
  now: Instant,
  providerNos: readonly number[],
): Promise<void> {
  await updateNextFree(db, now, providerNos)
}
