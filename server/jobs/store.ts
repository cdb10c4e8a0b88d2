import { type Instant, toJson, type WholeRow } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { OutboxRow } from '#db/tables/messages.ts'
import { LEASE_MS } from '#server/kernel/outbox.ts'
import type { OutboxPayloads, OutboxTopic } from '#server/kernel/outbox-topics.ts'

type NewRow = {
  id: string
  topic: OutboxTopic
  payload: OutboxPayloads[OutboxTopic]
  now: Instant
  afterMs: number
}

/** A side effect that this worker delivers until the lease ends. */
export type Delivery = {
  id: string
  topic: string
  /** JSON, not read yet: a damaged payload fails the delivery like any other error. */
  payload: string
  /** Including this attempt. */
  attempts: number
}

function insertRow(db: Db, row: WholeRow<OutboxRow>) {
  return db.insertInto('outbox').values(row).execute()
}

/** Enqueues a side effect. */
export async function insertOutbox(db: Db, row: NewRow): Promise<void> {
  await insertRow(db, {
    id: row.id,
    topic: row.topic,
    payload: toJson(row.payload),
    created_at: row.now,
    attempts: 0,
    due_at: row.now + row.afterMs,
    done_at: null,
    failed_at: null,
    last_error: null,
  })
}

/** Without `topics`, all of them. */
type Due = { now: Instant; limit: number; topics?: readonly string[] | undefined }

/** Due deliveries, oldest first. */
export function listDue(db: Db, { now, limit, topics }: Due) {
  let query = db
    .selectFrom('outbox')
    .select(['id', 'topic', 'payload', 'attempts', 'due_at'])
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
  if (topics !== undefined) query = query.where('topic', 'in', topics)
  return query.execute()
}

type DueRow = Awaited<ReturnType<typeof listDue>>[number]

/** Claims a due row for this worker; null when another worker was faster. */
export async function claim(db: Db, row: DueRow, now: Instant): Promise<Delivery | null> {
  const claimed = await db
    .updateTable('outbox')
    .set({ attempts: row.attempts + 1, due_at: now + LEASE_MS })
    .where('id', '=', row.id)
    // Compare and set: only one of two workers can see the row unchanged.
    .where('attempts', '=', row.attempts)
    .where('due_at', '=', row.due_at)
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst()
  if (claimed.numUpdatedRows === 0n) return null
  const { id, topic, payload } = row
  return { id, topic, payload, attempts: row.attempts + 1 }
}

/** Marks a delivery as done, even if its lease has expired. */
export async function markDone(db: Db, delivery: Delivery, now: Instant): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ done_at: now, failed_at: null, last_error: null })
    .where('id', '=', delivery.id)
    .execute()
}

type FailedTry = { error: string; dueAt: Instant }

/** Schedules a failed delivery again, unless another worker has claimed it. */
export async function markForRetry(
  db: Db,
  delivery: Delivery,
  failedTry: FailedTry,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ due_at: failedTry.dueAt, last_error: failedTry.error })
    .where('id', '=', delivery.id)
    .where('attempts', '=', delivery.attempts)
    .where('done_at', 'is', null)
    .execute()
}

/** Gives a delivery up; the row stays visible to operators. */
export async function markFailed(
  db: Db,
  delivery: Delivery,
  failure: { error: string; at: Instant },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ failed_at: failure.at, last_error: failure.error })
    .where('id', '=', delivery.id)
    .where('attempts', '=', delivery.attempts)
    .where('done_at', 'is', null)
    .execute()
}

/**
 * Numbers of pending deliveries, of those among them whose latest attempt failed, and of those given up.
 */
export async function countOutbox(
  db: Db,
): Promise<{ waiting: number; retrying: number; failed: number }> {
  // Uses the partial indexes: delivered rows are kept for a week.
  const open = db.selectFrom('outbox').where('done_at', 'is', null)
  const pending = open.where('failed_at', 'is', null)
  const { waiting, retrying, failed } = await db
    .selectNoFrom([
      pending.select(({ fn }) => fn.countAll<number>().as('n')).as('waiting'),
      pending
        .where('last_error', 'is not', null)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('retrying'),
      open
        .where('failed_at', 'is not', null)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('failed'),
    ])
    .executeTakeFirstOrThrow()
  return { waiting: waiting ?? 0, retrying: retrying ?? 0, failed: failed ?? 0 }
}

type OldestPending = {
  createdAt: Instant | null
  stuckSince: Instant | null
  dueAt: Instant | null
}

/**
 * When the oldest pending row was created, also of those that fail for another reason than a refusal of their email,
 * and when the most overdue one was due; null for none.
 */
export async function findOldestPending(db: Db): Promise<OldestPending> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.min<Instant | null>('created_at').as('createdAt'),
      fn
        .min<Instant | null>('created_at')
        // An SMTP reply; 421 is no refusal but the mail server closing down. Null where nothing has failed yet.
        .filterWhere((where) =>
          where.or([
            where('last_error', 'like', '% 421'),
            where.and(
              ['% 4__', '% 5__', '% EENVELOPE'].map((reply) =>
                where('last_error', 'not like', reply),
              ),
            ),
          ]),
        )
        .as('stuckSince'),
      fn.min<Instant | null>('due_at').as('dueAt'),
    ])
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirstOrThrow()
}

/** Emails that the mail server has put off (a 4xx reply) since it last accepted one, oldest first. */
export function listPutOff(db: Db, limit: number) {
  return db
    .selectFrom('outbox')
    .select(['topic', 'payload', 'created_at'])
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('last_error', 'like', '% 4__')
    .where('created_at', '>', (where) =>
      where
        .selectFrom('mails')
        .select((of) => of.fn.coalesce(of.fn.max('created_at'), of.lit(0)).as('acceptedAt')),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

const OPEN_PAYMENTS = ['creating', 'open', 'capturing', 'refund_due', 'review'] as const
const OPEN_REFUNDS = ['due', 'pending', 'failed'] as const

type StateCount = { state: string; count: number }

/** Unfinished payments, by state. */
export async function countPayments(db: Db): Promise<StateCount[]> {
  return db
    .selectFrom('payments')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', OPEN_PAYMENTS)
    .groupBy('state')
    .execute()
}

/** Unfinished refunds, by state; a failed one is finished once another has taken its place. */
export async function countRefunds(db: Db): Promise<StateCount[]> {
  return db
    .selectFrom('refunds')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', OPEN_REFUNDS)
    .where((where) => where.or([where('state', '<>', 'failed'), where('dealt_at', 'is', null)]))
    .groupBy('state')
    .execute()
}

/** Number of gateway events not processed yet. */
export async function countWebhooks(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('gateway_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('processed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Number of unpaid holds. */
export async function countHolds(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('bookings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes deliveries completed before an instant; failed ones stay. */
export async function deleteDelivered(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('outbox').where('done_at', '<', before).execute()
}

/** Reads the row that `writeHeartbeat` writes. Fails as any read would now. */
export async function readHeartbeat(db: Db): Promise<void> {
  await db.selectFrom('app_meta').select('value').where('key', '=', 'heartbeat').execute()
}

/** Writes one small row to the disk, always the same one. Fails as any write would now. */
export async function writeHeartbeat(db: Db, now: Instant): Promise<void> {
  const value = String(now)
  await db
    .insertInto('app_meta')
    .values({ key: 'heartbeat', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
