import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { offeredFrom, offerLead } from '#server/availability/hours/hours-rules.ts'
import { listSchedules, lockProviders } from '#server/availability/hours/schedule-store.ts'
import type { Services } from '#server/context.ts'
import type { Refresh } from './extend-slots.ts'
import { deleteFreeSlotsBefore, listToWithdraw, updateWithdrawals } from './fill-store.ts'

/** Full hours come to many providers at once: short transactions, and requests in between. */
const BATCH = 25

async function withdrawBatch(db: Db, now: Instant): Promise<number[]> {
  const all = await listToWithdraw(db, now, BATCH)
  if (all.length === 0) return []
  await lockProviders(db, all)
  const due = await listSchedules(db, all)
  for (const [noticeMinutes, rows] of Map.groupBy(due, (row) => row.notice_minutes)) {
    const providerNos = rows.map((row) => row.provider_no)
    await deleteFreeSlotsBefore(db, providerNos, offeredFrom({ noticeMinutes }, now))
    await updateWithdrawals(db, providerNos, offerLead({ noticeMinutes }))
  }
  return all
}

/**
 * Takes free times off the offer that their provider's notice has reached: their slots are deleted, so
 * that no search, card or profile shows them. Harmless when several processes do it at once.
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
