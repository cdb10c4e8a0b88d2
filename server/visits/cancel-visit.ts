import { ProviderId } from '#contract/base/ids.ts'
import type { Money } from '#contract/base/money.ts'
import { fullName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import type { VisitRef } from '#contract/booking.ts'
import { isUnsent } from '#contract/booking-desk.ts'
import type {
  CancelForInput,
  CancelInput,
  Cancelled,
  CancelManyInput,
  CancelManyResponse,
  CancelResult,
  StaffTermsInput,
  VisitInTimeOff,
  VisitTerms,
} from '#contract/visits.ts'
import type { Db } from '#db/engine.ts'
import { absenceFinder } from '#server/availability/hours/change-dates.ts'
import { cancelDesk } from '#server/booking/desk/change-desk.ts'
import { listUpcomingDeskVisits } from '#server/booking/desk/read-desk.ts'
import { cancelBooking } from '#server/booking/visits/cancel-booking.ts'
import { countOwnMoves } from '#server/booking/visits/move-booking.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import type { AsProvider, AsStaff, Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  assertMayRefund,
  enqueueVisitRefund,
  lockMoney,
  readMoney,
  readMoneyOf,
  type VisitMoney,
} from '#server/payments/refunds/refund.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { movesLeft, type Shown, termsOf, whyNotChange, whyOutdated } from './rules.ts'
import { type BookedRow, findBooked, findOfPatient, findOfProvider, listUpcoming } from './store.ts'

/**
 * Finds the visit, only if the actor may change it; called twice, the second time with its payment locked.
 */
export type FindVisit = (db: Db) => Promise<BookedRow | undefined>

/**
 * Terms of cancelling a visit now: refunds as `agreed`, or `all` that is left. Throws `not_found` for an
 * undefined visit, `visit_cancelled` and `visit_begun` where it cannot be cancelled any more.
 */
export async function cancelTermsOf(
  ctx: Context,
  visit: BookedRow | undefined,
  policy: 'agreed' | 'all',
): Promise<VisitTerms> {
  const now = ctx.now()
  if (visit === undefined) throw new AppError('not_found')
  const refusal = whyNotChange(visit, now)
  if (refusal !== null) throw new AppError(refusal)
  const { paid, left } = await readMoney(ctx.database.db, visit.payment_no)
  const { refund, kept, freeUntil, isFree } = termsOf(visit, left, { policy, now })
  return {
    id: visit.id,
    sequence: visit.sequence,
    startsAt: toIso(visit.start_at),
    timeZone: visit.time_zone,
    paymentMethod: visit.payment_method,
    paid,
    left,
    refund,
    kept,
    freeUntil: toIso(freeUntil),
    isFree,
    providerId: ProviderId.parse(visit.provider_id),
    typeId: visit.type_id,
    movesLeft: movesLeft(await countOwnMoves(ctx.database.db, visit.no)),
  }
}

/** Terms of cancelling one of the viewer's upcoming visits, by its provider's policy. */
export async function readTerms(ctx: SignedIn, { id }: VisitRef): Promise<VisitTerms> {
  return cancelTermsOf(
    ctx,
    await findOfPatient(ctx.database.db, id, ctx.session.accountNo),
    'agreed',
  )
}

type CancelRequest = {
  find: FindVisit
  shown: Shown
  /** Whether to refund as agreed, or all that is left. */
  policy: 'agreed' | 'all'
  reason?: string
  note?: string | null
  /** Public id of the patient who cancels, where there is no session. */
  patientId?: string
  /** Throws if the actor may not refund so much. */
  assertMay?: (refund: Money, money: VisitMoney) => Promise<void>
}

/**
 * Cancels an upcoming visit and enqueues the refund, in the caller's transaction. The payment is locked
 * first, so that concurrent refunds see what is left. Throws `not_found` where `find` finds none;
 * `changed_meanwhile` and `terms_changed` where the page is outdated. Returns the refund.
 */
export async function cancelInTransaction(
  ctx: Context,
  tx: Tx,
  request: CancelRequest,
): Promise<Money> {
  const { find, shown, policy, reason, note, patientId } = request
  const before = await find(tx.db)
  if (before === undefined) throw new AppError('not_found')
  const money = await lockMoney(ctx, tx, before.payment_no)
  // Re-read under the lock: a concurrent cancellation, move or refund has committed by now.
  const visit = await find(tx.db)
  if (visit === undefined) throw new AppError('not_found')
  const refusal = whyNotChange(visit, ctx.now())
  if (refusal !== null) throw new AppError(refusal)
  const terms = termsOf(visit, money.left, { policy, now: ctx.now() })
  const { refund, kept } = terms
  const other = whyOutdated(shown, { sequence: visit.sequence, refund })
  if (other !== null) throw new AppError(other, { what: 'visit' })
  await request.assertMay?.(refund, money)
  const actorId = patientId ?? ctx.session?.userId ?? null
  await enqueueVisitRefund(ctx, tx, {
    payment: money.payment,
    reason: 'cancelled',
    amount: refund,
    actorId,
  })
  await cancelBooking(ctx, tx, {
    bookingNo: visit.no,
    money: { refundMinor: refund.minor, keptMinor: kept.minor },
    ...(reason === undefined ? {} : { reason }),
    ...(note === undefined ? {} : { note }),
    ...(patientId === undefined ? {} : { by: { by_kind: 'patient', by_id: patientId } }),
  })
  return refund
}

/**
 * The patient cancels one of their upcoming visits. The refund follows the provider's policy as booked, and
 * must equal what the page showed, or nothing happens.
 */
export async function cancelVisit(ctx: SignedIn, input: CancelInput): Promise<Cancelled> {
  const { id, sequence, refund: shown } = input
  const find: FindVisit = (db) => findOfPatient(db, id, ctx.session.accountNo)
  const refund = await ctx.transaction((tx) =>
    cancelInTransaction(ctx, tx, { find, shown: { sequence, refund: shown }, policy: 'agreed' }),
  )
  const visit = await readVisitIn(ctx.database.db, id, ctx.now())
  if (visit === null) throw new Error('The cancelled visit does not exist.')
  return { visit, refund }
}

/**
 * Terms of cancelling one of the viewer's visits as its provider: always refunds all that is left. Throws
 * `not_found` for the visits of others, `visit_cancelled` and `visit_begun` as for patients.
 */
export async function readProviderTerms(ctx: AsProvider, { id }: VisitRef): Promise<VisitTerms> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  return cancelTermsOf(ctx, await findOfProvider(db, id, no), 'all')
}

type One = CancelManyInput['visits'][number]

type CancelReasonInput = Pick<CancelManyInput, 'reason' | 'note'>

async function cancelOne(ctx: AsProvider, one: One, given: CancelReasonInput): Promise<Money> {
  const { no } = await ownProvider(ctx, ctx.database.db)
  const find: FindVisit = (db) => findOfProvider(db, one.id, no)
  const { reason, note = null } = given
  return ctx.transaction((tx) =>
    cancelInTransaction(ctx, tx, { find, shown: one, policy: 'all', reason, note }),
  )
}

/**
 * The provider cancels upcoming visits, each in its own transaction: all that is left of the payment is
 * refunded, and the patient is emailed the reason. Desk visits have no refund, and their patients are emailed
 * the reason without the note, if they gave an address. Returns the result of each; an error in one does not stop the others. A repeat
 * refuses the cancelled ones with `visit_cancelled`.
 */
export async function cancelMany(
  ctx: AsProvider,
  input: CancelManyInput,
): Promise<CancelManyResponse> {
  const { visits, desk = [], ...given } = input
  const tasks = [
    ...visits.map((one) => ({
      id: one.id,
      act: async () => ({ refund: await cancelOne(ctx, one, given) }),
    })),
    // Nothing was paid for a desk visit.
    ...desk.map((one) => ({
      id: one.id,
      act: async () => {
        const { email } = await cancelDesk(ctx, one, given)
        return { refund: null, ...(isUnsent(email) && { unsent: email }) }
      },
    })),
  ]
  const results: CancelResult[] = []
  for (const { id, act } of tasks) {
    try {
      // Sequential: each transaction is short, and others may write in between.
      results.push({ id, refusal: null, ...(await act()) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.push({ id, refusal: error.code, refund: null })
    }
  }
  return { fates: results }
}

/** Refund policy by whom the cancellation is for: as agreed for patients, always all for providers. */
const policies = { patient: 'agreed', provider: 'all' } as const

/** Terms of cancelling any upcoming visit on behalf of its patient or its provider. */
export async function readStaffTerms(ctx: AsStaff, input: StaffTermsInput): Promise<VisitTerms> {
  return cancelTermsOf(ctx, await findBooked(ctx.database.db, input.id), policies[input.for])
}

/**
 * Staff cancel an upcoming visit on behalf of its patient or its provider, with the refund that person would
 * see. The reason is recorded for staff only. Above the refund limit it takes a superuser with a proof from
 * the last five minutes.
 */
export async function cancelFor(ctx: AsStaff, input: CancelForInput): Promise<CancelResult> {
  const { id, for: whom, sequence, refund: shown, reason: note } = input
  const refund = await ctx.transaction((tx) =>
    cancelInTransaction(ctx, tx, {
      find: (db) => findBooked(db, id),
      shown: { sequence, refund: shown },
      policy: policies[whom],
      reason: whom === 'patient' ? 'for_patient' : 'for_provider',
      note,
      assertMay: (more, { refunds }) => assertMayRefund(ctx, tx, { more, refunds }),
    }),
  )
  return { id, refusal: null, refund }
}

type AbsenceOf = Awaited<ReturnType<typeof absenceFinder>>

async function listPaid(ctx: SignedIn, no: number, absenceOf: AbsenceOf) {
  const { db } = ctx.database
  const overlapping = (await listUpcoming(db, no, ctx.now())).flatMap((row) => {
    const absenceId = absenceOf(row)
    return absenceId === null ? [] : [{ ...row, absenceId }]
  })
  const money = await readMoneyOf(
    db,
    overlapping.map((row) => row.payment_no),
  )
  return overlapping.map((row): VisitInTimeOff => {
    const found = money.get(row.payment_no)
    if (found === undefined) throw new Error('A booked visit is not paid for.')
    return {
      id: row.id,
      absenceId: row.absenceId,
      desk: null,
      patient: fullName(row.first_name, row.last_name),
      startsAt: toIso(row.start_at),
      endsAt: toIso(row.end_at),
      timeZone: row.time_zone,
      placeId: row.place_id,
      sequence: row.sequence,
      paid: found.paid,
      refund: found.left,
    }
  })
}

async function listDesk(ctx: AsProvider, absenceOf: AbsenceOf): Promise<VisitInTimeOff[]> {
  return (await listUpcomingDeskVisits(ctx)).flatMap(({ row, ...who }) => {
    const absenceId = absenceOf(row)
    if (absenceId === null) return []
    return {
      id: row.id,
      absenceId,
      desk: { kind: row.kind, phone: who.phone, hasEmail: who.email !== null },
      patient: who.name,
      startsAt: toIso(row.start_at),
      endsAt: toIso(row.end_at),
      timeZone: row.time_zone,
      placeId: row.place_id,
      sequence: row.sequence,
      paid: null,
      refund: null,
    }
  })
}

/**
 * The upcoming visits of the viewer, a provider, that lie in their time off, earliest first, with the refund
 * if cancelled: all that is left, and nothing for desk visits. Includes visits they have chosen to keep.
 */
export async function listInTimeOff(ctx: AsProvider): Promise<VisitInTimeOff[]> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  const absenceOf = await absenceFinder(db, no, ctx.now())
  const visits = [...(await listPaid(ctx, no, absenceOf)), ...(await listDesk(ctx, absenceOf))]
  return visits.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))
}
