import type { Services } from '#server/context.ts'
import { updateStaleNextFree } from './index-store.ts'

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
    const done = await ctx.database.transaction((db) => updateStaleNextFree(db, now, BATCH))
    if (done < BATCH || signal?.aborted === true) return
  }
}
