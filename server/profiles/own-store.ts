import type { Updateable } from 'kysely'
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
