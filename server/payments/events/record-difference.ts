import { toIso } from '#contract/time.ts'
import { type Context, type Tx } from '#server/context.ts'
import type { Dispute } from '#server/gateways/payment-gateways.ts'
import type { DifferenceKind } from '#server/payments/books/compare-rules.ts'
import { markReported, upsertDifference } from '#server/payments/books/compare-store.ts'
import { type GatewayName, type Payment } from '#server/payments/store.ts'

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
 * Records a difference between a gateway and our books for staff: once, however often it is found, and again
 * when the gateway's details change. `notifyStaff` notifies staff.
 */
export function recordDifference(ctx: Context, found: FoundDifference): Promise<void> {
  return ctx.transaction((tx) => recordDifferenceIn(ctx, tx, found))
}

/** `notifyStaff` within the caller's transaction. */
export async function notifyStaffIn(ctx: Context, tx: Tx): Promise<void> {
  const now = ctx.now()
  if ((await markReported(tx.db, now)) === 0) return
  await tx.outbox.add('payment.differences', { toldAt: String(now) })
}

/** Emails staff all new differences in one message. */
export function notifyStaff(ctx: Context): Promise<void> {
  return ctx.transaction((tx) => notifyStaffIn(ctx, tx))
}
