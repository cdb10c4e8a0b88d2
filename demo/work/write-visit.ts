import type { Selectable } from 'kysely'
import { referenceOf } from '#contract/base/ids.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PaymentRow } from '#db/tables/payments.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'
import { idFrom } from '#demo/random.ts'

export type PlannedVisit = {
  guest: string
  startAt: number
  bookedAt: number
  /** Booked at the lower fee, because of an earlier visit or on the patient's own word. */
  followUp: 'history' | 'self_declared' | null
  purpose: string
  method: 'stripe' | 'paypal'
  /** Cancelled in time, and refunded. */
  isCancelled: boolean
  /** Who cancelled; the patient when left out. */
  cancelledBy?: 'patient' | 'provider'
}

export type Visited = Selectable<ProviderRow> & { place_no: number; time_zone: string }

/** A provider and their first place, by their email. */
export function findProvider(db: Db, email: string): Promise<Visited | undefined> {
  return db
    .selectFrom('providers as p')
    .innerJoin('places as l', 'l.provider_no', 'p.no')
    .selectAll('p')
    .select(['l.no as place_no', 'l.time_zone'])
    .where('p.email', '=', email)
    .where('l.position', '=', 0)
    .executeTakeFirst()
}

type VisitInput = { provider: Visited; visit: PlannedVisit; patientNo: number; now: number }

/** The columns that bookings and payments have in common. */
function typeOf({ followUp }: PlannedVisit) {
  return {
    visit_type: followUp === null ? ('first_visit' as const) : ('follow_up' as const),
    follow_up_basis: followUp,
  }
}

async function writeHeld(db: Db, { provider, visit, patientNo }: VisitInput): Promise<number> {
  const { startAt, bookedAt } = visit
  const id = idFrom('apt', `visit ${provider.email} ${startAt}`)
  const { no } = await db
    .insertInto('bookings')
    .values({
      ...typeOf(visit),
      id,
      reference: referenceOf(id),
      patient_no: patientNo,
      provider_no: provider.no,
      place_no: provider.place_no,
      region: provider.region,
      start_at: startAt,
      end_at: startAt + provider.consultation_minutes * 60_000,
      time_zone: provider.time_zone,
      wall_at: wallClock(startAt, provider.time_zone),
      state: 'held',
      hold_until: bookedAt + 900_000,
      pay_by: bookedAt + 900_000,
      renewed: 0,
      mode: 'in_person',
      payment_method: visit.method,
      purpose: visit.purpose,
      code_at: bookedAt,
      first_minor: provider.amount_minor,
      follow_minor: provider.follow_amount_minor,
      currency: provider.currency,
      free_cancel_hours: provider.free_cancel_hours,
      late_cancel_percent: provider.late_cancel_percent,
      no_show_percent: provider.no_show_percent,
      distance: null,
      paid_by: null,
      sequence: 0,
      created_at: bookedAt,
      confirmed_at: null,
      closed_at: null,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  return no
}

type Paid = Pick<PaymentRow, 'amount_minor'> & { no: number }

async function writePayment(db: Db, bookingNo: number, writing: VisitInput): Promise<Paid> {
  const { provider, visit, patientNo } = writing
  const { startAt, bookedAt, followUp } = visit
  return db
    .insertInto('payments')
    .values({
      ...typeOf(visit),
      id: idFrom('pay', `visit ${provider.email} ${startAt}`),
      booking_no: bookingNo,
      patient_no: patientNo,
      gateway: visit.method,
      state: 'paid',
      amount_minor: followUp === null ? provider.amount_minor : provider.follow_amount_minor,
      currency: provider.currency,
      expires_at: bookedAt + 1_860_000,
      // No gateway has it, so nobody looks for it there.
      gw_session: null,
      gw_payment: null,
      client_secret: null,
      reason: null,
      checked_at: bookedAt,
      created_at: bookedAt,
      updated_at: bookedAt,
    })
    .returning(['no', 'amount_minor'])
    .executeTakeFirstOrThrow()
}

async function writeRefund(db: Db, payment: Paid, at: number): Promise<void> {
  await db
    .insertInto('refunds')
    .values({
      id: idFrom('rfd', `refund ${payment.no} ${at}`),
      payment_no: payment.no,
      key: 'cancelled',
      reason: 'cancelled',
      amount_minor: payment.amount_minor,
      state: 'done',
      gw_refund: null,
      key_round: 0,
      tries: 1,
      next_try_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute()
}

type CancellationInput = {
  startAt: number
  at: number
  refundMinor: number
  by: 'patient' | 'provider'
}

/** Cancelled in time, so all of it was refunded. */
async function recordCancelled(db: Db, bookingNo: number, cancellation: CancellationInput) {
  const { startAt, at, refundMinor, by } = cancellation
  await db
    .insertInto('visit_changes')
    .values({
      booking_no: bookingNo,
      at,
      what: 'cancelled',
      by_kind: by,
      by_id: null,
      sequence: 1,
      from_at: startAt,
      to_at: null,
      reason: by === 'provider' ? 'schedule' : null,
      note: null,
      refund_minor: refundMinor,
      kept_minor: 0,
    })
    .execute()
}

/** Claims the time and, unless it has passed, takes it off the offer. */
async function claim(
  db: Db,
  bookingNo: number,
  { provider, visit, now }: VisitInput,
): Promise<void> {
  const { startAt } = visit
  const endAt = startAt + provider.consultation_minutes * 60_000
  await db
    .insertInto('slot_claims')
    .values({ booking_no: bookingNo, provider_no: provider.no, start_at: startAt, end_at: endAt })
    .execute()
  if (startAt < now) return
  await db
    .updateTable('slots')
    .set({ free: 0 })
    .where('provider_no', '=', provider.no)
    .where('start_at', '=', startAt)
    .execute()
}

/** Writes one visit of the demo, booked and paid, or cancelled a day before and refunded. */
export async function writeVisit(db: Db, writing: VisitInput): Promise<void> {
  const { startAt, bookedAt, isCancelled, cancelledBy: by = 'patient' } = writing.visit
  const no = await writeHeld(db, writing)
  const payment = await writePayment(db, no, writing)
  const closedAt = isCancelled ? Math.max(bookedAt, startAt - DAY_MS) : null
  if (closedAt === null) await claim(db, no, writing)
  else {
    await writeRefund(db, payment, closedAt)
    await recordCancelled(db, no, { startAt, at: closedAt, refundMinor: payment.amount_minor, by })
  }
  await db
    .updateTable('bookings')
    .set({
      state: isCancelled ? 'cancelled' : 'confirmed',
      paid_by: payment.no,
      confirmed_at: bookedAt,
      closed_at: closedAt,
      changed_at: closedAt ?? bookedAt,
      sequence: isCancelled ? 1 : 0,
    })
    .where('no', '=', no)
    .execute()
}
