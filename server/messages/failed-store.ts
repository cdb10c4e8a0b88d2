import { type Instant, parseJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'

/** What was given up, the newest first. */
export async function listFailed(db: Db, page: { limit: number; offset: number }) {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'topic', 'payload', 'created_at', 'failed_at', 'attempts', 'last_error'])
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map(({ payload, ...row }) => ({ ...row, payload: parseJson(payload) }))
}

export type FailedRow = Awaited<ReturnType<typeof listFailed>>[number]

export async function countFailed(db: Db): Promise<number> {
  const { failed } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('failed'))
    .where('failed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return failed
}

/** Makes something that was given up due again, as if it had never been tried; its topic, or undefined. */
export async function reviveFailed(
  db: Db,
  id: string,
  now: Instant,
): Promise<{ topic: string } | undefined> {
  const [revived] = await db
    .updateTable('outbox')
    .set({ failed_at: null, last_error: null, attempts: 0, due_at: now })
    .where('id', '=', id)
    .where('failed_at', 'is not', null)
    .where('done_at', 'is', null)
    .returning('topic')
    .execute()
  return revived
}
