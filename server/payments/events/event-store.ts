import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { GatewayEventRow } from '#db/tables/payments.ts'

type NewEvent = Omit<GatewayEventRow, 'processed_at' | 'tries' | 'due_at'>

/** Stores an event unchanged; false if it was received before. */
export async function insertEvent(db: Db, event: NewEvent): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('gateway_events')
    .values({ ...event, processed_at: null, tries: 0, due_at: event.received_at })
    .onConflict((oc) => oc.columns(['gateway', 'id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

type Lease = {
  gateway: GatewayEventRow['gateway']
  now: Instant
  until: Instant
  limit: number
}

/**
 * Leases due events of a gateway, longest overdue first: no other process handles them until the lease
 * expires, and if this process dies, they become due again.
 */
export async function leaseEvents(db: Db, lease: Lease): Promise<GatewayEventRow[]> {
  const { gateway, now, until, limit } = lease
  const due = db
    .selectFrom('gateway_events')
    .select(['gateway', 'id'])
    .where('gateway', '=', gateway)
    .where('processed_at', 'is', null)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
  const leased = await db
    .updateTable('gateway_events')
    .set({ due_at: until })
    .where((eb) => eb(eb.refTuple('gateway', 'id'), 'in', due.$asTuple('gateway', 'id')))
    // Checked again after waiting for another process's lock on the rows.
    .where('processed_at', 'is', null)
    .where('due_at', '<=', now)
    .returningAll()
    .execute()
  return leased.toSorted((a, b) => a.received_at - b.received_at)
}

type EventKey = Pick<GatewayEventRow, 'gateway' | 'id'>

/** Marks an event as processed and clears its body, which names the payer; its type and object are kept. */
export async function setProcessed(db: Db, { gateway, id }: EventKey, now: Instant): Promise<void> {
  await db
    .updateTable('gateway_events')
    .set({ processed_at: now, body: '' })
    .where('gateway', '=', gateway)
    .where('id', '=', id)
    .execute()
}

/** Counts a failed try and sets when the event is due again. */
export async function countEventTry(db: Db, { gateway, id }: EventKey, due: Instant) {
  await db
    .updateTable('gateway_events')
    .set((eb) => ({ tries: eb('tries', '+', 1), due_at: due }))
    .where('gateway', '=', gateway)
    .where('id', '=', id)
    .execute()
}

/** Deletes events processed before an instant: gateways retry for days, not for months. */
export async function deleteOldEvents(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('gateway_events').where('processed_at', '<', before).execute()
}

/** Clears the bodies of unprocessed events about a person's payments, by their account's public id. */
export async function blankEventsOf(db: Db, userId: string): Promise<void> {
  const payments = db
    .selectFrom('payments as p')
    .innerJoin('accounts as a', 'a.no', 'p.patient_no')
    .where('a.id', '=', userId)
  await db
    .updateTable('gateway_events')
    .set({ body: '' })
    .where('processed_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('object', 'in', payments.select('p.gw_session')),
        eb('object', 'in', payments.select('p.gw_payment')),
      ]),
    )
    .execute()
}
