import { sql } from 'kysely'
import { LIVE_PAYMENT, paymentLife } from '#contract/life-cycles/payment.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PaymentRow } from '#db/tables/payments.ts'

export type GatewayName = PaymentRow['gateway']

/** A row of the payments table. */
export type Payment = Omit<PaymentRow, 'no'> & { no: number }

type NewPayment = Pick<
  Payment,
  | 'id'
  | 'booking_no'
  | 'patient_no'
  | 'gateway'
  | 'amount_minor'
  | 'currency'
  | 'visit_type'
  | 'follow_up_basis'
  | 'expires_at'
  | 'request'
  | 'created_at'
>

/** Inserts a payment before the gateway is called; a unique violation if another one is live. */
export async function insertPayment(db: Db, payment: NewPayment): Promise<Payment> {
  return db
    .insertInto('payments')
    .values({
      ...payment,
      state: paymentLife.to('start'),
      gw_session: null,
      gw_payment: null,
      client_secret: null,
      reason: null,
      checked_at: payment.created_at,
      updated_at: payment.created_at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findLive(db: Db, bookingNo: number): Promise<Payment | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('booking_no', '=', bookingNo)
    .where('state', 'in', LIVE_PAYMENT)
    .executeTakeFirst()
}

export function getPayment(db: Db, no: number): Promise<Payment> {
  return db.selectFrom('payments').selectAll().where('no', '=', no).executeTakeFirstOrThrow()
}

/** Payments by their numbers, in no order. */
export function listPayments(db: Db, nos: readonly number[]): Promise<Payment[]> {
  return db.selectFrom('payments').selectAll().where('no', 'in', nos).execute()
}

/** A payment by its public id. */
export function findByPublicId(db: Db, id: string): Promise<Payment | undefined> {
  return db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The payment behind a gateway's session or order. */
export function findBySession(
  db: Db,
  gateway: GatewayName,
  session: string,
): Promise<Payment | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('gw_session', '=', session)
    .executeTakeFirst()
}

/** As `findBySession`, or by the charge or capture: events refer to either. */
export async function findByObject(
  db: Db,
  gateway: GatewayName,
  object: string,
): Promise<Payment | undefined> {
  const bySession = await findBySession(db, gateway, object)
  if (bySession !== undefined) return bySession
  return db
    .selectFrom('payments')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('gw_payment', '=', object)
    .executeTakeFirst()
}

/** Locks and reads a payment, in a transaction that changes it. */
export function lockPayment(db: Db, no: number, now: Instant): Promise<Payment> {
  // An update locks the row on both engines; it also records the check.
  return db
    .updateTable('payments')
    .set({ checked_at: now })
    .where('no', '=', no)
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Opened = { session: string; clientSecret: string | null; now: Instant }

/** Stores the session that the gateway opened; false if another call did so first. */
export async function setOpened(db: Db, no: number, opened: Opened): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({
      state: paymentLife.to('open'),
      gw_session: opened.session,
      client_secret: opened.clientSecret,
      request: null,
      updated_at: opened.now,
    })
    .where('no', '=', no)
    .where('state', 'in', paymentLife.from('open'))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Acquires the right to capture: only while the booking is held and its hold not expired, its provider
 * Verified and its patient not erased, or if it was acquired before. Freeing the time abandons the payment
 * first, so only one of the two can win.
 */
export async function setCapturing(db: Db, no: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ state: paymentLife.to('capture'), updated_at: now })
    .where('no', '=', no)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'capturing'),
        eb.and([
          eb('state', '=', 'open'),
          eb.exists(
            eb
              .selectFrom('bookings as b')
              .innerJoin('providers as p', 'p.no', 'b.provider_no')
              .innerJoin('accounts as a', 'a.no', 'b.patient_no')
              .select(sql.lit(1).as('one'))
              .whereRef('b.no', '=', 'payments.booking_no')
              .where('p.verification_status', '=', 'Verified')
              .where('a.erased_at', 'is', null)
              .where('b.state', '=', 'held')
              .where('b.hold_until', '>', now),
          ),
        ]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type Decided = 'decision' | 'decision_note' | 'decided_by' | 'decided_at'
type Ending = Partial<
  Pick<Payment, 'gw_payment' | 'reason' | 'taken_minor' | 'taken_currency' | Decided>
> & {
  event: keyof typeof paymentLife.events
  now: Instant
}

/** Applies an event to a locked payment. Throws if its life cycle has no such event in the state it is in. */
export async function advance(db: Db, no: number, ending: Ending): Promise<void> {
  const { event, now, ...columns } = ending
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ ...columns, state: paymentLife.to(event), updated_at: now })
    .where('no', '=', no)
    .where('state', 'in', paymentLife.from(event))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error(`Payment ${no} is in no state to ${event}.`)
}

/** Notes that the refund of a payment without a visit is paid out; changes no other payment. */
export async function setPaidBack(db: Db, no: number, now: Instant): Promise<void> {
  await db
    .updateTable('payments')
    .set({ state: paymentLife.to('pay_back'), updated_at: now })
    .where('no', '=', no)
    .where('state', 'in', paymentLife.from('pay_back'))
    .execute()
}

/**
 * Abandons a payment that needs no call to the gateway: one that was never opened, because its secret was
 * never given out, and a wallet payment that is not being captured, because only our server captures.
 */
export async function setAbandoned(db: Db, no: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ state: paymentLife.to('abandon'), reason: 'cancelled', request: null, updated_at: now })
    .where('no', '=', no)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'creating'),
        eb.and([eb('state', '=', 'open'), eb('gateway', '=', 'paypal')]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores the id of a charge as soon as the gateway reports it, whatever happens to the charge. */
export async function setGatewayPayment(db: Db, no: number, gwPayment: string): Promise<void> {
  await db
    .updateTable('payments')
    .set({ gw_payment: gwPayment })
    .where('no', '=', no)
    .where('gw_payment', 'is', null)
    .execute()
}

type UnsureQuery = { gateway: GatewayName; now: Instant; limit: number }

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Share of a run reserved for ended payments, however many are live. */
const SHARE_OF_ENDED = 0.25

function listLiveToRecheck(db: Db, { gateway, now, limit }: UnsureQuery): Promise<Payment[]> {
  return (
    db
      .selectFrom('payments')
      .selectAll()
      .where('gateway', '=', gateway)
      .where('state', 'in', ['open', 'capturing'])
      .where('checked_at', '<=', now - MINUTE)
      // Orders by age at the last check: payments never checked come first, and one that keeps failing moves
      // further back.
      .orderBy((eb) => eb('checked_at', '-', eb.ref('created_at')))
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute()
  )
}

function listEndedToRecheck(db: Db, { gateway, now, limit }: UnsureQuery): Promise<Payment[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('state', 'in', ['expired', 'abandoned', 'failed'])
    .where('gw_session', 'is not', null)
    .where('checked_at', '<=', now - 10 * MINUTE)
    .where('updated_at', '>', now - DAY)
    .orderBy('checked_at')
    .limit(limit)
    .execute()
}

/**
 * Payments whose state may have changed without an event: live ones every minute, newest first, because
 * someone may be waiting; and for a day those that ended unpaid, because late money has to be refunded.
 */
export async function listToRecheck(db: Db, query: UnsureQuery): Promise<Payment[]> {
  const maxLive = Math.ceil(query.limit * (1 - SHARE_OF_ENDED))
  const live = await listLiveToRecheck(db, { ...query, limit: maxLive })
  return [
    ...live,
    ...(await listEndedToRecheck(db, { ...query, limit: query.limit - live.length })),
  ]
}

/** The payer of a payment: email and public id. */
export function getPayer(db: Db, patientNo: number) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'first_name', 'erased_at'])
    .where('no', '=', patientNo)
    .executeTakeFirstOrThrow()
}

/** Public id of a booking. */
export async function getBookingId(db: Db, bookingNo: number): Promise<string> {
  const row = await db
    .selectFrom('bookings')
    .select('id')
    .where('no', '=', bookingNo)
    .executeTakeFirstOrThrow()
  return row.id
}

/** What an email about a payment says of its visit: when, with whom, and the reference that people quote. */
export function getVisitOf(db: Db, bookingNo: number) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('providers as v', 'v.no', 'b.provider_no')
    .select([
      'b.reference',
      'b.start_at',
      'b.time_zone',
      'b.region',
      'v.title',
      'v.first_name',
      'v.last_name',
      'v.email as provider_email',
    ])
    .where('b.no', '=', bookingNo)
    .executeTakeFirstOrThrow()
}

/** The hold of a payment, with what returning to it and paying for it require. */
export function getHoldOf(db: Db, bookingNo: number) {
  return db
    .selectFrom('bookings')
    .select(['id', 'state', 'hold_until', 'pay_by'])
    .where('no', '=', bookingNo)
    .executeTakeFirstOrThrow()
}

/** A hold by its public id, only if it is this patient's. */
export function findOwnHold(db: Db, id: string, patientNo: number) {
  return db
    .selectFrom('bookings')
    .select(['no', 'state', 'hold_until'])
    .where('id', '=', id)
    .where('patient_no', '=', patientNo)
    .executeTakeFirst()
}
