import { randomInt } from 'node:crypto'
import type * as z from 'zod/mini'
import { DAY_MS } from '#contract/base/time.ts'
import { emitPaypal, paypalId, type SandboxContext } from '#sandbox/context.ts'
import { paypalFailure } from '#sandbox/failure.ts'
import type { CaptureRecord, WalletDisputeRecord, WalletRefundRecord } from '#sandbox/store.ts'
import { decimalOf, minorOf, paypalLink, paypalTime, walletRefundObject } from './paypal-objects.ts'
import type { RefundCreate } from './paypal-params.ts'

export const PAYPAL_REASONS = [
  'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
  'UNAUTHORISED',
  'CREDIT_NOT_PROCESSED',
  'DUPLICATE_TRANSACTION',
  'INCORRECT_AMOUNT',
  'PAYMENT_BY_OTHER_MEANS',
  'CANCELED_RECURRING_BILLING',
  'PROBLEM_WITH_REMITTANCE',
  'OTHER',
] as const
export type PaypalReason = (typeof PAYPAL_REASONS)[number]

/** A dispute as a list shows it. */
export function disputeSummary(dispute: WalletDisputeRecord) {
  const { id, reason, currency, value, outcome } = dispute
  return {
    dispute_id: id,
    create_time: paypalTime(dispute.created),
    update_time: paypalTime(dispute.updated),
    reason,
    status: outcome === null ? 'OPEN' : 'RESOLVED',
    dispute_amount: { currency_code: currency, value },
    dispute_life_cycle_stage: 'INQUIRY',
    dispute_channel: 'INTERNAL',
    links: [paypalLink(`/v1/customer/disputes/${id}`, 'self', 'GET')],
  }
}

function transactionOf({ id, currency, value, created, customId, invoiceId }: CaptureRecord) {
  return {
    seller_transaction_id: id,
    create_time: paypalTime(created),
    transaction_status: 'COMPLETED',
    gross_amount: { currency_code: currency, value },
    ...(customId === null ? {} : { custom: customId }),
    ...(invoiceId === null ? {} : { invoice_number: invoiceId }),
    seller_protection_eligible: false,
  }
}

/** A dispute in full, as GET and events show it. */
export function disputeObject(ctx: SandboxContext, dispute: WalletDisputeRecord) {
  const { capture: id, outcome, currency, value } = dispute
  const capture = ctx.store.find('capture', id)
  const refunded = outcome === 'RESOLVED_BUYER_FAVOUR' ? value : '0.00'
  return {
    ...disputeSummary(dispute),
    disputed_transactions: capture === undefined ? [] : [transactionOf(capture)],
    ...(outcome === null
      ? {}
      : {
          dispute_outcome: {
            outcome_code: outcome,
            amount_refunded: { currency_code: currency, value: refunded },
          },
        }),
  }
}

export function readDispute(ctx: SandboxContext, id: string): WalletDisputeRecord {
  const dispute = ctx.store.find('walletDispute', id)
  if (dispute === undefined) throw paypalFailure(404, [{ issue: 'INVALID_RESOURCE_ID' }])
  return dispute
}

/** The buyer disputes a capture: all that is left of it, or less. */
export function disputeCapture(
  ctx: SandboxContext,
  capture: CaptureRecord,
  input: { reason: PaypalReason; amountMinor?: number | undefined },
): WalletDisputeRecord {
  const left = minorOf(capture.value) - capture.refundedMinor
  const amount = input.amountMinor ?? left
  const isTaken = capture.status === 'COMPLETED' || capture.status === 'PARTIALLY_REFUNDED'
  if (!isTaken || amount < 1 || amount > left) {
    throw paypalFailure(422, [{ issue: 'INVALID_DISPUTE_AMOUNT' }])
  }
  const dispute: WalletDisputeRecord = {
    id: `PP-D-${randomInt(10_000_000, 100_000_000)}`,
    capture: capture.id,
    reason: input.reason,
    currency: capture.currency,
    value: decimalOf(amount),
    created: ctx.now(),
    updated: ctx.now(),
    outcome: null,
  }
  ctx.store.put('walletDispute', dispute)
  emitPaypal(ctx, { type: 'CUSTOMER.DISPUTE.CREATED', object: disputeObject(ctx, dispute) })
  return dispute
}

/** PayPal decides; won means in the seller's favour. */
export function closePaypalDispute(ctx: SandboxContext, id: string, outcome: 'won' | 'lost'): void {
  const dispute = readDispute(ctx, id)
  if (dispute.outcome !== null) throw paypalFailure(422, [{ issue: 'DISPUTE_NOT_OPEN' }])
  const closed: WalletDisputeRecord = {
    ...dispute,
    updated: ctx.now(),
    outcome: outcome === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR',
  }
  ctx.store.put('walletDispute', closed)
  emitPaypal(ctx, { type: 'CUSTOMER.DISPUTE.RESOLVED', object: disputeObject(ctx, closed) })
}

function refuse(issue: string, description: string): never {
  throw paypalFailure(422, [{ issue, description }])
}

export function readCapture(ctx: SandboxContext, id: string): CaptureRecord {
  const capture = ctx.store.find('capture', id)
  if (capture === undefined) throw paypalFailure(404, [{ issue: 'INVALID_RESOURCE_ID' }])
  return capture
}

function refuseDisputed(ctx: SandboxContext, { id }: CaptureRecord, isPartial: boolean): void {
  const disputes = ctx.store.list('walletDispute').filter(({ capture }) => capture === id)
  if (disputes.some(({ outcome }) => outcome === 'RESOLVED_BUYER_FAVOUR')) {
    refuse('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK', 'The buyer has the money back already.')
  }
  if (isPartial && disputes.some(({ outcome }) => outcome === null)) {
    refuse('TRANSACTION_DISPUTED', 'Partial refunds are not possible while a dispute is open.')
  }
}

/** Refunds a capture, in full unless an amount is given, and never more than was captured. */
export function refundCapture(
  ctx: SandboxContext,
  id: string,
  wanted: z.infer<typeof RefundCreate>,
): WalletRefundRecord {
  const capture = readCapture(ctx, id)
  const left = minorOf(capture.value) - capture.refundedMinor
  if (capture.status === 'REFUNDED')
    refuse('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.')
  if (capture.status === 'PENDING' || capture.status === 'DECLINED') {
    refuse('CAPTURE_STATUS_NOT_VALID', 'Only a completed capture can be refunded.')
  }
  if (ctx.now() - capture.created > 180 * DAY_MS) {
    refuse(
      'REFUND_TIME_LIMIT_EXCEEDED',
      'You are over the time limit to perform a refund on this capture.',
    )
  }
  if (wanted.amount !== undefined && wanted.amount.currency_code !== capture.currency) {
    refuse(
      'REFUND_CAPTURE_CURRENCY_MISMATCH',
      'Refund must be in the same currency as the capture.',
    )
  }
  const minor = wanted.amount === undefined ? left : minorOf(wanted.amount.value)
  if (minor === 0) refuse('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.')
  if (minor > left)
    refuse(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
    )
  const refund: WalletRefundRecord = {
    id: paypalId(),
    capture: id,
    status: 'COMPLETED',
    currency: capture.currency,
    value: decimalOf(minor),
    customId: wanted.custom_id ?? capture.customId,
    invoiceId: wanted.invoice_id ?? capture.invoiceId,
    created: ctx.now(),
  }
  refuseDisputed(ctx, capture, minor < left)
  const status = minor === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  const refundedMinor = capture.refundedMinor + minor
  ctx.store.put('walletRefund', refund)
  ctx.store.put('capture', { ...capture, status, refundedMinor, updated: ctx.now() })
  emitPaypal(ctx, { type: 'PAYMENT.CAPTURE.REFUNDED', object: walletRefundObject(refund) })
  return refund
}
