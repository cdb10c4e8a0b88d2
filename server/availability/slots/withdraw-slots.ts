import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { offeredFrom, offerLeadMs } from '#server/availability/hours/hours-rules.ts'
import { listSchedules, lockProviders } from '#server/availability/hours/schedule-store.ts'
import type { Services } from '#server/context.ts'
import type { Refresh } from './extend-slots.ts'
import { deleteFreeSlotsBefore, listToWithdraw, updateWithdrawals } from './fill-store.ts'

/** Many providers have slots on the full hour: short transactions, so that requests can run in between. */
const BATCH = 25

async function withdrawBatch(db: Db, now: Instant): Promise<number[]> {
  const all = await listToWithdraw(db, now, BATCH)
  if (all.length === 0) return []
  await lockProviders(db, all)
  const due = await listSchedules(db, all)
  for (const [noticeMinutes, rows] of Map.groupBy(due, (row) => row.notice_minutes)) {
    const providerNos = rows.map((row) => row.provider_no)
    await deleteFreeSlotsBefore(db, providerNos, offeredFrom({ noticeMinutes }, now))
    await updateWithdrawals(db, providerNos, offerLeadMs({ noticeMinutes }))
  }
  return all
}

/**
 * Takes free times within the provider's notice off the offer by deleting their slots, so that no search,
 * card or profile shows them. Safe to run in several processes at once.
 */
export async function withdrawSlots(
  services: Pick<Services, 'database' | 'now' | 'background'>,
  refresh: Refresh,
  signal?: AbortSignal,
): Promise<void> {
  const batch = () =>
    services.database.transaction(async (db) => {
      const now = services.now()
      const providerNos = await withdrawBatch(db, now)
      if (providerNos.length > 0) await refresh(db, now, providerNos)
      return providerNos.length
    })
  await services.background.drain(BATCH, batch, signal)
}
