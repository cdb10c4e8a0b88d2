import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { GatewayEventRow } from '#db/tables/payments.ts'

type NewEvent = Omit<GatewayEventRow, 'processed_at' | 'tries'>

/** Keeps an event as it came; false when it came before. */
export async function insertEvent(db: Db, event: NewEvent): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('gateway_events')
    .values({ ...event, processed_at: null, tries: 0 })
    .onConflict((oc) => oc.columns(['gateway', 'id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Events that still have to be acted on, oldest first. */
export function listWaiting(db: Db, limit: number): Promise<GatewayEventRow[]> {
  return db
    .selectFrom('gateway_events')
    .selectAll()
    .where('processed_at', 'is', null)
    .orderBy('tries')
    .orderBy('received_at')
    .limit(limit)
    .execute()
}

type EventKey = Pick<GatewayEventRow, 'gateway' | 'id'>

/** Acted on. Its body named whoever paid: what is kept is that it came, and what it was about. */
export async function setProcessed(db: Db, { gateway, id }: EventKey, now: Instant): Promise<void> {
  await db
    .updateTable('gateway_events')
    .set({ processed_at: now, body: '' })
    .where('gateway', '=', gateway)
    .where('id', '=', id)
    .execute()
}

export async function countEventTry(db: Db, { gateway, id }: EventKey): Promise<void> {
  await db
    .updateTable('gateway_events')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('gateway', '=', gateway)
    .where('id', '=', id)
    .execute()
}

/** Forgets events acted on before an instant: gateways repeat for days, not for months. */
export async function deleteOldEvents(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('gateway_events').where('processed_at', '<', before).execute()
}

/** Blanks what waiting events say of somebody's payments, by the public id of their account. */
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
