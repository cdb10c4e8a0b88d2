import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/** Whether the registration of a provider is verified now. */
export async function isProviderVerified(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('providers')
    .select('verification_status')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.verification_status === 'Verified'
}

/** Whether the owner of a mailbox, by its keyed hash, has stopped emails from strangers. */
export async function isStopped(db: Db, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('stopped_mail')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined
}

/** Stops emails from strangers to a mailbox; returns false where that was done before. */
export async function insertStopped(db: Db, hash: string, at: Instant): Promise<boolean> {
  const row = await db
    .insertInto('stopped_mail')
    .values({ hash, stopped_at: at })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}
