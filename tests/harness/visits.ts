import type { Insertable } from 'kysely'
import { referenceOf } from '#contract/base/ids.ts'
import { DAY_MS } from '#contract/base/time.ts'
import type { VisitType } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'
import { wallClock } from '#db/columns.ts'
import type { VisitChangeRow } from '#db/tables/booking.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { type PaymentTerms, preparePayment } from '#server/booking/hold/prepare-payment.ts'
import { confirmBooking } from '#server/booking/visits/confirm-booking.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import type { MadeProvider } from './people.ts'
import type { TestApp } from './test-app.ts'

const PURPOSE = 'A cough that will not go away'

/** Inserts a payment as the payments module would, and returns its number. */
export async function insertPayment(
  ctx: SignedIn,
  tx: Tx,
  terms: PaymentTerms,
  state: 'open' | 'paid' = 'open',
): Promise<number> {
  const now = ctx.now()
  const { no } = await tx.db
    .insertInto('payments')
    .values({
      id: ctx.newId('pay'),
      booking_no: terms.bookingNo,
      patient_no: ctx.session.accountNo,
      gateway: 'stripe',
      state,
      amount_minor: terms.amountMinor,
      currency: terms.currency,
      visit_type: terms.visitType,
      follow_up_basis: terms.followUpBasis,
      expires_at: now + 31 * 60_000,
      gw_session: null,
      gw_payment: null,
      client_secret: null,
      reason: null,
      checked_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  return no
}

/** Confirms a code, as `auth.checkCode` does for a right one. */
export async function verifyCode(ctx: SignedIn, object: string): Promise<void> {
  const now = ctx.now()
  await ctx.transaction((tx) =>
    tx.db
      .insertInto('codes')
      .values({
        id: ctx.newId('otp'),
        account_no: ctx.session.accountNo,
        purpose: 'booking',
        object,
        hash: '',
        created_at: now,
        expires_at: now + 600_000,
        tries: 0,
        verified_at: now,
        used_at: null,
      })
      .execute(),
  )
}

/** Offers more times, each like the one that was there first. */
export async function offerTimes(
  { database: { db } }: TestApp,
  starts: readonly number[],
): Promise<void> {
  const slot = await db
    .selectFrom('slots')
    .selectAll()
    .orderBy('start_at')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('slots')
    .values(starts.map((start) => ({ ...slot, start_at: start, free: 1 as const })))
    .execute()
}

/** Offers the time of the only slot on the next days, too. */
export async function offerNextDays(testApp: TestApp, days: number): Promise<void> {
  const { start_at: start } = await testApp.database.db
    .selectFrom('slots')
    .select('start_at')
    .executeTakeFirstOrThrow()
  const later = Array.from({ length: days }, (_, n) => start + (n + 1) * DAY_MS)
  await offerTimes(testApp, later)
}

/** Inserts a refund of a payment, by staff and done unless told otherwise. */
export async function insertRefund(
  { services, database }: TestApp,
  payment: { no: number | null; minor: number },
  values: Partial<Insertable<RefundRow>> = {},
): Promise<void> {
  const id = services.newId('rfd')
  const now = services.now()
  const { reason = 'staff' } = values
  await database.db
    .insertInto('refunds')
    .values({
      id,
      payment_no: payment.no ?? 0,
      key: reason === 'staff' ? `staff:${id}` : reason,
      reason,
      amount_minor: payment.minor,
      state: 'done',
      gw_refund: null,
      key_round: 0,
      tries: 1,
      next_try_at: now,
      created_at: now,
      updated_at: now,
      ...values,
    })
    .execute()
}

/** What happened to visits, oldest first. */
export function changesIn({ database: { db } }: TestApp) {
  return db.selectFrom('visit_changes').selectAll().orderBy('no').execute()
}

type BookingOptions = {
  providerId: string
  typeId?: string
  startsAt: string
  typeOfVisit?: VisitType
  mode?: VisitMode
}

/** Presses the payment button for a hold; the payment stays open. */
export async function startOpenPayment(
  ctx: SignedIn,
  holdId: string,
  shown: { minor: number; currency: 'GBP' | 'USD' } = { minor: 6_000, currency: 'GBP' },
): Promise<{ bookingNo: number; paymentNo: number }> {
  return ctx.transaction(async (tx) => {
    const terms = await preparePayment(ctx, tx, {
      holdId,
      typeOfVisit: 'first_visit',
      purpose: PURPOSE,
      gateway: 'stripe',
      shown,
    })
    return { bookingNo: terms.bookingNo, paymentNo: await insertPayment(ctx, tx, terms) }
  })
}

/** Records the payment and confirms the visit, as `payments` does when the money arrives. */
export async function settle(
  ctx: SignedIn,
  { bookingNo, paymentNo }: { bookingNo: number; paymentNo: number },
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await tx.db.updateTable('payments').set({ state: 'paid' }).where('no', '=', paymentNo).execute()
    return confirmBooking(ctx, tx, { bookingNo, paymentNo })
  })
}

/** Holds, confirms the code and pays; returns the id of the visit. */
export async function bookVisit(ctx: SignedIn, options: BookingOptions): Promise<string> {
  const { typeOfVisit = 'first_visit', ...slot } = options
  const hold = await holdSlot(ctx, slot)
  await verifyCode(ctx, hold.id)
  await ctx.transaction(async (tx) => {
    const terms = await preparePayment(ctx, tx, {
      holdId: hold.id,
      typeOfVisit,
      purpose: PURPOSE,
      gateway: 'stripe',
      shown: hold.fees[typeOfVisit],
    })
    const paymentNo = await insertPayment(ctx, tx, terms, 'paid')
    await confirmBooking(ctx, tx, { bookingNo: terms.bookingNo, paymentNo })
  })
  return hold.id
}

/** Who cancelled a visit. By default it was cancelled a moment ago with a full refund. */
export type CancellationValues = {
  by: VisitChangeRow['by_kind']
  /** Epoch milliseconds. */
  at?: number
  reason?: string
  keptMinor?: number
}

export type VisitValues = {
  patientNo: number
  /** ISO instant. */
  startsAt: string
  timeZone?: string
  region?: 'uk' | 'usa'
  method?: 'stripe' | 'paypal'
  minor?: number
  minutes?: number
  isFollowUp?: boolean
  mode?: 'in_person' | 'video'
  /** Two-letter US state the patient said they would be in. */
  patientState?: string
  state?: 'held' | 'confirmed' | 'cancelled'
  /** Who cancelled it; sets `state` to `cancelled`. */
  cancelled?: CancellationValues
  /** Marked as missed a moment ago. */
  isMissed?: boolean
  /** Who joined it by video, and when, in epoch milliseconds. */
  joins?: { by: 'patient' | 'provider'; at: number }[]
  /** The patient's objection to being marked as missed. */
  contested?: string
}

/** Inserts a visit at any time, past ones included, which cannot be booked. Returns its number and id. */
export async function insertVisit(testApp: TestApp, provider: MadeProvider, values: VisitValues) {
  const { services, database } = testApp
  const { patientNo, region = 'uk', method = 'stripe', minor = 6_000 } = values
  const { state = values.cancelled === undefined ? 'confirmed' : 'cancelled' } = values
  const { mode = 'in_person' } = values
  const { minutes = 30, timeZone = region === 'uk' ? 'Europe/London' : 'America/New_York' } = values
  const startAt = Date.parse(values.startsAt)
  const at = services.now()
  const currency = region === 'uk' ? ('GBP' as const) : ('USD' as const)
  const type = values.isFollowUp === true ? ('follow_up' as const) : ('first_visit' as const)
  const basis = values.isFollowUp === true ? ('self_declared' as const) : null
  const id = services.newId('apt')
  const row = await database.db
    .insertInto('bookings')
    .values({
      id,
      reference: referenceOf(id),
      patient_no: patientNo,
      provider_no: provider.no,
      place_no: provider.placeNos[0] ?? 0,
      region,
      start_at: startAt,
      end_at: startAt + minutes * 60_000,
      time_zone: timeZone,
      wall_at: wallClock(startAt, timeZone),
      state: 'held',
      hold_until: at,
      pay_by: at,
      renewed: 0,
      visit_type: type,
      follow_up_basis: basis,
      mode,
      patient_state: values.patientState ?? null,
      payment_method: method,
      purpose: 'A cough that will not go away',
      code_at: at,
      first_minor: minor,
      follow_minor: minor,
      currency,
      free_cancel_hours: 24,
      late_cancel_percent: 50,
      no_show_percent: 100,
      distance: null,
      paid_by: null,
      sequence: 0,
      created_at: at,
      confirmed_at: null,
      closed_at: null,
    })
    .returning(['no', 'id'])
    .executeTakeFirstOrThrow()
  if (state === 'held') return { ...row, paymentNo: null }
  const payment = await database.db
    .insertInto('payments')
    .values({
      id: services.newId('pay'),
      booking_no: row.no,
      patient_no: patientNo,
      gateway: method,
      state: 'paid',
      amount_minor: minor,
      currency,
      visit_type: type,
      follow_up_basis: basis,
      expires_at: at,
      gw_session: null,
      gw_payment: null,
      client_secret: null,
      reason: null,
      checked_at: at,
      created_at: at,
      updated_at: at,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  await database.db
    .updateTable('bookings')
    .set({
      state,
      paid_by: payment.no,
      confirmed_at: at,
      ...(values.isMissed === true && { outcome: 'no_show' as const, outcome_at: at }),
    })
    .where('no', '=', row.no)
    .execute()
  if (values.cancelled !== undefined) await insertCancellation(testApp, row.no, values)
  await insertJoins(testApp, row.no, values)
  if (values.contested !== undefined) await insertOutcomeClaim(testApp, row.no, values.contested)
  return { ...row, paymentNo: payment.no }
}

async function insertCancellation(
  { services, database }: TestApp,
  bookingNo: number,
  { cancelled, startsAt, minor = 6_000 }: VisitValues,
) {
  const { by = 'patient', at = services.now(), reason = null, keptMinor = 0 } = cancelled ?? {}
  await database.db
    .insertInto('visit_changes')
    .values({
      booking_no: bookingNo,
      at,
      what: 'cancelled',
      by_kind: by,
      by_id: null,
      sequence: 1,
      from_at: Date.parse(startsAt),
      to_at: null,
      reason,
      note: null,
      refund_minor: minor - keptMinor,
      kept_minor: keptMinor,
    })
    .execute()
}

async function insertJoins({ database }: TestApp, bookingNo: number, { joins = [] }: VisitValues) {
  for (const { by, at } of joins) {
    await database.db
      .insertInto('visit_joins')
      .values({ booking_no: bookingNo, at, by_kind: by, by_id: '', host: 'video.example' })
      .execute()
  }
}

async function insertOutcomeClaim(
  { services, database }: TestApp,
  bookingNo: number,
  statement: string,
) {
  await database.db
    .insertInto('outcome_claims')
    .values({
      id: services.newId('clm'),
      booking_no: bookingNo,
      says: 'was_there',
      words: services.secrets.seal('claim', statement),
      state: 'open',
      answer: null,
      answered_at: null,
      created_at: services.now(),
      decided_at: null,
      decided_by: null,
      note: null,
    })
    .execute()
}
