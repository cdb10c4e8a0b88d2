import type { VisitRef } from '#contract/booking.ts'
import type { CancelDeskInput } from '#contract/booking-desk.ts'
import type { Money } from '#contract/money.ts'
import { toIso } from '#contract/time.ts'
import type {
  CancelForInput,
  CancelManyInput,
  CancelManyResponse,
  CancelResult,
  StaffTermsInput,
  VisitInTimeOff,
  VisitTerms,
} from '#contract/visits.ts'
import { absenceFinder } from '#server/availability/hours/change-dates.ts'
import { cancelDesk } from '#server/booking/desk/change-desk.ts'
import { listUpcomingDeskVisits } from '#server/booking/desk/read-desk.ts'
import type { AsStaff, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { assertMayRefund, readMoneyOf } from '#server/payments/refunds/refund.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { cancelInTransaction, type FindVisit } from './cancel-visit.ts'
import { cancelTermsOf } from './read-terms.ts'
import { findBooked, findOfProvider, listUpcoming } from './store.ts'

/**
 * Terms of cancelling one of the viewer's visits as its provider: always refunds all that is left. Throws
 * `not_found` for the visits of others, `visit_cancelled` and `visit_begun` as for patients.
 */
export async function readProviderTerms(ctx: SignedIn, { id }: VisitRef): Promise<VisitTerms> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  return cancelTermsOf(ctx, await findOfProvider(db, id, no), 'all')
}

type One = CancelManyInput['visits'][number]

type CancelReasonInput = Pick<CancelManyInput, 'reason' | 'note'>

async function cancelOne(ctx: SignedIn, one: One, given: CancelReasonInput): Promise<Money> {
  const { no } = await ownProvider(ctx, ctx.database.db)
  const find: FindVisit = (db) => findOfProvider(db, one.id, no)
  const { reason, note = null } = given
  return ctx.transaction((tx) =>
    cancelInTransaction(ctx, tx, { find, shown: one, policy: 'all', reason, note }),
  )
}

/** A desk visit: nothing was paid for it. */
async function cancelUnpaid(
  ctx: SignedIn,
  one: CancelDeskInput,
  given: CancelReasonInput,
): Promise<null> {
  await cancelDesk(ctx, one, given)
  return null
}

/**
 * The provider cancels upcoming visits, each in its own transaction: all that is left of the payment is
 * refunded, and the patient is emailed the reason. Desk visits have no refund, and their patients are emailed
 * if they gave an address. Returns the result of each; an error in one does not stop the others. A repeat
 * refuses the cancelled ones with `visit_cancelled`.
 */
export async function cancelMany(
  ctx: SignedIn,
  input: CancelManyInput,
): Promise<CancelManyResponse> {
  const { visits, desk = [], ...given } = input
  const tasks = [
    ...visits.map((one) => ({ id: one.id, act: () => cancelOne(ctx, one, given) })),
    ...desk.map((one) => ({ id: one.id, act: () => cancelUnpaid(ctx, one, given) })),
  ]
  const results: CancelResult[] = []
  for (const { id, act } of tasks) {
    try {
      // Sequential: each transaction is short, and others may write in between.
      // oxlint-disable-next-line no-await-in-loop
      results.push({ id, refusal: null, refund: await act() })
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
      assertMay: (amount, { refunds }) => assertMayRefund(ctx, amount, refunds),
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
      patient: `${row.first_name} ${row.last_name}`.trim(),
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

async function listDesk(ctx: SignedIn, absenceOf: AbsenceOf): Promise<VisitInTimeOff[]> {
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
export async function listInTimeOff(ctx: SignedIn): Promise<VisitInTimeOff[]> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  const absenceOf = await absenceFinder(db, no, ctx.now())
  const visits = [...(await listPaid(ctx, no, absenceOf)), ...(await listDesk(ctx, absenceOf))]
  return visits.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))
}
