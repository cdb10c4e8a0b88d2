import type { Services } from '#server/context.ts'
import { nextTurn } from '#server/kernel/next-turn.ts'
import type { Refresh } from './extend-slots.ts'
import { deleteSlotsInNotice, listToWithdraw } from './fill-store.ts'
import { WITHDRAW_EARLY_MS } from './hours-rules.ts'
import { lockProviders } from './schedule-store.ts'

/** Full hours come to many providers at once: short transactions, and requests in between. */
const BATCH = 40

/**
 * Takes free times off the offer that their provider's notice has reached: their slots are deleted, so
 * that no search, card or profile shows them. Harmless when several processes do it at once.
 */
export async function withdrawSlots(
  services: Pick<Services, 'database' | 'now'>,
  refresh: Refresh,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const now = services.now()
    const done = await services.database.transaction(async (db) => {
      const providerNos = await listToWithdraw(db, now, BATCH)
      if (providerNos.length === 0) return 0
      await lockProviders(db, providerNos)
      await deleteSlotsInNotice(db, { providerNos, now, earlyMs: WITHDRAW_EARLY_MS })
      await refresh(db, now, providerNos)
      return providerNos.length
    })
    if (done < BATCH || signal?.aborted === true) return
    await nextTurn()
  }
}
