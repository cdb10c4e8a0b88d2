import type { Updateable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'

/** A provider by their public id, whole, whether listed or not. */
export function findOwnProvider(db: Db, id: string) {
  return db.selectFrom('providers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The same, kept from others until the transaction ends, so that changes follow one another. */
export async function lockOwnProvider(db: Db, id: string) {
  // An update is the lock both engines have.
  await db
    .updateTable('providers')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .execute()
  return findOwnProvider(db, id)
}

export async function updateOwnProvider(
  db: Db,
  no: number,
  change: Updateable<ProviderRow>,
): Promise<void> {
  await db.updateTable('providers').set(change).where('no', '=', no).execute()
}

/** Whether anything is said of when they see patients, or is on offer without it. */
export async function hasHours(db: Db, providerNo: number, now: Instant): Promise<boolean> {
  const [weekly, extra, slot] = await Promise.all([
    db
      .selectFrom('weekly_hours')
      .select('no')
      .where('provider_no', '=', providerNo)
      .limit(1)
      .execute(),
    db
      .selectFrom('extra_dates')
      .select('id')
      .where('provider_no', '=', providerNo)
      .limit(1)
      .execute(),
    db
      .selectFrom('slots')
      .select('start_at')
      .where('provider_no', '=', providerNo)
      .where('start_at', '>=', now)
      .limit(1)
      .execute(),
  ])
  return weekly.length + extra.length + slot.length > 0
}

/**
 * Takes back what the register bore out of a claim that has changed: no match puts the new one first, and
 * whoever was Verified waits for staff again.
 */
export async function restartStanding(db: Db, providerNo: number, now: Instant): Promise<void> {
  const ofProvider = db.updateTable('provider_standings').where('provider_no', '=', providerNo)
  await ofProvider
    .set({ is_match: 0, due_at: null, doubt_since: null, asked_again_at: null })
    .execute()
  await ofProvider
    .set({ state: 'waiting', since: now, asked_at: now, reason: null })
    .where('state', '=', 'verified')
    .execute()
}
