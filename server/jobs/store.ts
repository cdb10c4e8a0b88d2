import { type Instant, type Json, toJson, type WholeRow } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { OutboxRow } from '#db/tables/messages.ts'
import { LEASE_MS, type OutboxPayloads, type OutboxTopic } from '#server/kernel/outbox.ts'

type NewRow = {
  id: string
  topic: OutboxTopic
  payload: OutboxPayloads[OutboxTopic]
  now: Instant
  afterMs: number
}

/** A side effect that is ours to deliver until the lease ends. */
export type Delivery = {
  id: string
  topic: string
  /** Not read yet: one that cannot be is a delivery that fails, like any other. */
  payload: Json<Record<string, string>>
  /** This try included. */
  attempts: number
}

function insertRow(db: Db, row: WholeRow<OutboxRow>) {
  return db.insertInto('outbox').values(row).execute()
}

/** Writes down a side effect. */
export async function insertOutbox(db: Db, row: NewRow): Promise<void> {
  await insertRow(db, {
    id: row.id,
    topic: row.topic,
    payload: toJson<Record<string, string>>(row.payload),
    created_at: row.now,
    attempts: 0,
    due_at: row.now + row.afterMs,
    done_at: null,
    failed_at: null,
    last_error: null,
  })
}

/** `topics`: left out, every one. */
type Due = { now: Instant; limit: number; topics?: readonly string[] | undefined }

/** What is due, oldest first, whoever may get it. */
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

/** Takes a due row for this worker; null when another one was faster. */
export async function claim(db: Db, row: DueRow, now: Instant): Promise<Delivery | null> {
  const taken = await db
    .updateTable('outbox')
    .set({ attempts: row.attempts + 1, due_at: now + LEASE_MS })
    .where('id', '=', row.id)
    // What we saw is still so: this is what two workers cannot both have.
    .where('attempts', '=', row.attempts)
    .where('due_at', '=', row.due_at)
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst()
  if (taken.numUpdatedRows === 0n) return null
  const { id, topic, payload } = row
  return { id, topic, payload, attempts: row.attempts + 1 }
}

/** Delivered; also when the lease had ended meanwhile. */
export async function markDone(db: Db, delivery: Delivery, now: Instant): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ done_at: now, failed_at: null, last_error: null })
    .where('id', '=', delivery.id)
    .execute()
}

type Setback = { error: string; dueAt: Instant }

/** Not delivered: due again later, unless somebody else has it by now. */
export async function markLater(db: Db, delivery: Delivery, setback: Setback): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ due_at: setback.dueAt, last_error: setback.error })
    .where('id', '=', delivery.id)
    .where('attempts', '=', delivery.attempts)
    .where('done_at', 'is', null)
    .execute()
}

/** Given up, and left where an operator sees it. */
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

/** How much is owed and how much was given up. */
export async function countOutbox(db: Db): Promise<{ waiting: number; failed: number }> {
  // By their own indexes: what is done stays for a week.
  const open = db.selectFrom('outbox').where('done_at', 'is', null)
  const { waiting, failed } = await db
    .selectNoFrom([
      open
        .where('failed_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('waiting'),
      open
        .where('failed_at', 'is not', null)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('failed'),
    ])
    .executeTakeFirstOrThrow()
  return { waiting: waiting ?? 0, failed: failed ?? 0 }
}

/** When the oldest delivery that is still owed was written; null when none is. */
export async function findOldestOwed(db: Db): Promise<Instant | null> {
  const { oldest } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.min<Instant | null>('created_at').as('oldest'))
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return oldest
}

const OPEN_PAYMENTS = ['creating', 'open', 'capturing', 'refund_due', 'review'] as const
const OPEN_REFUNDS = ['due', 'pending', 'failed'] as const

type StateCount = { state: string; count: number }

/** Payments that have not come to an end, by state. */
export async function countPayments(db: Db): Promise<StateCount[]> {
  return db
    .selectFrom('payments')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', OPEN_PAYMENTS)
    .groupBy('state')
    .execute()
}

/** Refunds that have not arrived, by state. */
export async function countRefunds(db: Db): Promise<StateCount[]> {
  return db
    .selectFrom('refunds')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', OPEN_REFUNDS)
    .groupBy('state')
    .execute()
}

/** Events of gateways that nothing was done about yet. */
export async function countWebhooks(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('gateway_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('processed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Times that are held and not paid for. */
export async function countHolds(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('bookings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow()
  return count
}

/** Forgets what was delivered before an instant; what failed stays. */
export async function deleteDelivered(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('outbox').where('done_at', '<', before).execute()
}

/** Reads the row that `writeHeartbeat` writes. Fails as any reading would now. */
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
