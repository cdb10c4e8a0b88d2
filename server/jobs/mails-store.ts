import { ID_LENGTH } from '#contract/base/ids.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

type Old = { before: Instant; limit: number }

/** An email's Message-ID begins with the id of its delivery. */
const DELIVERY_ID_LENGTH = 'out_'.length + ID_LENGTH

/**
 * Deletes at most `limit` emails recorded before an instant and returns how many. Those of a delivery that is
 * not completed stay: it may be retried, and must not reach again whoever has had it.
 */
export async function deleteOldMails(db: Db, { before, limit }: Old): Promise<number> {
  const open = db.selectFrom('outbox').select('id').where('done_at', 'is', null)
  const old = db
    .selectFrom('mails')
    .select('id')
    .where('created_at', '<', before)
    .where(
      ({ fn, eb }) => fn<string>('substr', ['message_id', eb.lit(1), eb.lit(DELIVERY_ID_LENGTH)]),
      'not in',
      open,
    )
    .orderBy('created_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('mails').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes at most `limit` contact messages written before an instant and returns how many. */
export async function deleteOldMessages(db: Db, { before, limit }: Old): Promise<number> {
  const old = db
    .selectFrom('contact_messages')
    .select('id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('contact_messages')
    .where('id', 'in', old)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
