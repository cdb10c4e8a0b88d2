import type { Updateable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'

/** The full row of a provider by public id, listed or not. */
export function findOwnProvider(db: Db, id: string) {
  return db.selectFrom('providers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The same row, locked until the transaction ends, so that changes run one after the other. */
export async function lockOwnProvider(db: Db, id: string) {
  // An update locks the row on both engines.
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

/** Whether a provider has set weekly hours or extra dates, or has upcoming slots without them. */
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
 * Resets the register check of a changed claim: an old match must not put it first in the queue, and a
 * Verified provider waits for staff again.
 */
export async function resetRegistrationStatus(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<void> {
  const ofProvider = db.updateTable('provider_standings').where('provider_no', '=', providerNo)
  await ofProvider
    .set({ is_match: 0, due_at: null, doubt_since: null, asked_again_at: null })
    .execute()
  await ofProvider
    .set({ state: 'waiting', since: now, asked_at: now, reason: null })
    .where('state', '=', 'verified')
    .execute()
}
