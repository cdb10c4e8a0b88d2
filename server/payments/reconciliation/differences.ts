import { staffRefusal } from '#contract/base/staff.ts'
import { toIso } from '#contract/base/time.ts'
import {
  DIFFERENCES_PAGE_SIZE,
  type Difference,
  type Differences,
  type DifferencesInput,
} from '#contract/payments-review.ts'
import type { AsStaff, Context, Tx } from '#server/context.ts'
import type { Dispute } from '#server/gateways/payment-gateways.ts'
import { listStaffNames } from '#server/payments/history/staff-store.ts'
import {
  countDifferences,
  type DifferenceRecord,
  listDifferences as list,
} from '#server/payments/review/review-store.ts'
import type { DifferenceKind } from '#server/payments/rules.ts'
import type { GatewayName, Payment } from '#server/payments/store.ts'
import { markReported, upsertDifference } from './reconciliation-store.ts'

export type FoundDifference = {
  kind: DifferenceKind
  gateway: GatewayName
  /** The gateway's id of the object that differs. */
  object: string
  payment: Payment | null
  money: { amountMinor: number; currency: string }
  /** What the gateway says about it. */
  details?: string
}

type Disputed = { gateway: GatewayName; payment: Payment | null; dispute: Dispute }

/** The difference that records a dispute, from an event or from the gateway's list. */
export function disputeDifference({ gateway, payment, dispute }: Disputed): FoundDifference {
  const { id, reason, status, answerBy } = dispute
  const until = answerBy === null ? '' : `, evidence until ${toIso(answerBy)}`
  const details = `${reason}, ${status}${until}`
  return { kind: 'dispute', gateway, object: id, payment, money: dispute, details }
}

/** `recordDifference` within the caller's transaction. */
export async function recordDifferenceIn(
  ctx: Context,
  tx: Tx,
  found: FoundDifference,
): Promise<void> {
  const { kind, gateway, object, payment, money, details = null } = found
  const { amountMinor, currency } = money
  const isNews = await upsertDifference(tx.db, {
    gateway,
    object,
    kind,
    payment_no: payment?.no ?? null,
    amount_minor: amountMinor,
    currency,
    details,
    found_at: ctx.now(),
  })
  if (!isNews) return
  await tx.audit.add({
    action: 'payment.differs',
    outcome: 'failed',
    entity: payment?.id ?? object,
    actor: { kind: 'system', id: null },
    details: { kind, object, amount: amountMinor, currency, via: gateway },
  })
}

/**
 * Records a difference between a gateway and our records for staff: once, however often it is found, and again when the
 * gateway's details change. `notifyStaff` notifies staff.
 */
export function recordDifference(ctx: Context, found: FoundDifference): Promise<void> {
  return ctx.transaction((tx) => recordDifferenceIn(ctx, tx, found))
}

/** `notifyStaff` within the caller's transaction. */
export async function notifyStaffIn(ctx: Context, tx: Tx): Promise<void> {
  const now = ctx.now()
  if ((await markReported(tx.db, now)) === 0) return
  await tx.outbox.add('payment.differences', { toldAt: now })
}

/** Emails staff all new differences in one message. */
export function notifyStaff(ctx: Context): Promise<void> {
  return ctx.transaction((tx) => notifyStaffIn(ctx, tx))
}

/** A difference as staff are shown it. */
export function showDifference(
  row: DifferenceRecord,
  staff: ReadonlyMap<string, string>,
): Difference {
  const { our_minor: minor, our_currency: currency } = row
  return {
    gateway: row.gateway,
    object: row.object,
    kind: row.kind,
    id: row.booking_id,
    paymentId: row.payment_id,
    amount: { minor: row.amount_minor, currency: row.currency },
    details: row.details,
    ours: minor === null || currency === null ? null : { minor, currency },
    foundAt: toIso(row.found_at),
    dealtAt: row.dealt_at === null ? null : toIso(row.dealt_at),
    dealtBy: staff.get(row.dealt_by ?? '') ?? null,
    dealtNote: row.dealt_note,
  }
}

/** Differences that the daily comparison could not resolve. */
export async function listDifferences(
  ctx: AsStaff,
  { page, show }: DifferencesInput,
): Promise<Differences> {
  const { db } = ctx.database
  const total = await countDifferences(db, show)
  const limit = DIFFERENCES_PAGE_SIZE
  const rows = await list(db, { show, skip: (page - 1) * limit, limit })
  const mayName = staffRefusal('seeNames', ctx.viewer.role) === null
  const ids = mayName ? rows.flatMap((row) => row.dealt_by ?? []) : []
  const staff = await listStaffNames(db, [...new Set(ids)])
  const differences = rows.map((row) => showDifference(row, staff))
  return {
    differences: mayName ? differences : differences.map((one) => ({ ...one, dealtNote: null })),
    current_page: page,
    total_pages: Math.ceil(total / limit),
    total,
  }
}
