import type { Done } from '#contract/auth.ts'
import { AppointmentId, OutcomeClaimId } from '#contract/ids.ts'
import {
  ANSWER_WITHIN_MS,
  type ClaimCount,
  DECIDE_WITHIN_MS,
  type DecideClaimInput,
  type OutcomeClaim,
} from '#contract/outcomes.ts'
import { toIso } from '#contract/time.ts'
import { whyNotMark } from '#server/booking/outcome-rules.ts'
import { shownName } from '#server/booking/rules.ts'
import type { AsStaff } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { assertMayRefund } from '#server/payments/refunds/refund.ts'
import { lockMoney, readMoney } from '#server/payments/refunds/visit-money.ts'
import { openAnswer } from './answer-claim.ts'
import { assertRefund, writeMark } from './mark-visit.ts'
import {
  type ClaimRow,
  closeClaim,
  countOpenClaims,
  findClaim,
  listJoins,
  listOpenClaims,
  lockBooking,
} from './store.ts'

/** Claims shown at once; more follow as these are decided. */
const MAX_SHOWN = 50

function nameOf(row: ClaimRow): string | null {
  const name = [row.patient_first_name, row.patient_last_name].filter(Boolean).join(' ')
  return row.patient_erased_at !== null || name === '' ? null : name
}

async function joinsOf(
  { database: { db } }: AsStaff,
  row: ClaimRow,
): Promise<OutcomeClaim['joins']> {
  if (row.mode !== 'video') return null
  const joins = await listJoins(db, row.booking_no)
  return joins.map(({ by_kind: by, at }) => ({ by, at: toIso(at) }))
}

async function showClaim(ctx: AsStaff, row: ClaimRow): Promise<OutcomeClaim> {
  if (row.paid_by === null) throw new Error('A booked visit is not paid for.')
  const paymentNo = row.paid_by
  const { left } = await readMoney(ctx.database.db, paymentNo)
  return {
    id: OutcomeClaimId.parse(row.id),
    visitId: AppointmentId.parse(row.visit_id),
    reference: row.reference,
    patientName: nameOf(row),
    providerName: shownName(row),
    startsAt: toIso(row.start_at),
    timeZone: row.time_zone,
    markedAt: row.outcome_at === null ? null : toIso(row.outcome_at),
    says: row.says,
    words: row.words === '' ? '' : ctx.secrets.open('claim', row.words),
    answer: openAnswer(ctx, row.answer),
    answerUntil: toIso(row.created_at + ANSWER_WITHIN_MS),
    createdAt: toIso(row.created_at),
    decideBy: toIso(row.created_at + DECIDE_WITHIN_MS),
    joins: await joinsOf(ctx, row),
    refundable: left,
  }
}

/** Open claims, the oldest first. The access is audited: they may be about health. */
export async function listClaims(ctx: AsStaff): Promise<OutcomeClaim[]> {
  const rows = await listOpenClaims(ctx.database.db, MAX_SHOWN)
  const shown: OutcomeClaim[] = []
  // oxlint-disable-next-line no-await-in-loop -- each locks the next payment
  for (const row of rows) shown.push(await showClaim(ctx, row))
  if (rows.length > 0) await ctx.record({ action: 'claim.read', details: { count: rows.length } })
  return shown
}

/** Number of open claims. */
export async function countClaims(ctx: AsStaff): Promise<ClaimCount> {
  return { open: await countOpenClaims(ctx.database.db) }
}

/**
 * Staff decide a contested visit's outcome: the mark stays or is corrected. A visit not held is refunded.
 * Both sides are emailed. Throws `claim_decided` when the claim is no longer open.
 */
export async function decideClaim(ctx: AsStaff, input: DecideClaimInput): Promise<Done> {
  const { id, outcome, reason } = input
  const claim = await findClaim(ctx.database.db, id)
  if (claim === undefined) throw new AppError('not_found')
  if (claim.paid_by === null) throw new Error('A booked visit is not paid for.')
  const { paid_by: paymentNo, booking_no: bookingNo } = claim
  await ctx.transaction(async (tx) => {
    const money = await lockMoney(ctx, tx, paymentNo)
    const visit = await lockBooking(tx.db, bookingNo)
    const decided = await closeClaim(tx.db, bookingNo, {
      state: outcome === 'no_show' ? 'rejected' : 'upheld',
      decided_at: ctx.now(),
      decided_by: ctx.viewer.id,
      note: reason,
    })
    if (decided === undefined) throw new AppError('claim_decided')
    if (visit.outcome !== outcome) {
      const refusal = whyNotMark(visit, outcome, { now: ctx.now(), by: 'staff' })
      if (refusal !== null) throw new AppError(refusal)
      if (outcome === 'not_held') {
        assertRefund(money, input.refund)
        assertMayRefund(ctx, money.left, money.refunds)
      }
      await writeMark(ctx, tx, { bookingNo, mark: outcome, money, by: ctx.viewer.id })
    }
    await tx.outbox.add('claim.decided', { claimId: id })
    await tx.audit.add({ action: 'claim.decided', entity: id, details: { outcome } })
  })
  return { status: true }
}
