import type * as z from 'zod/mini'
import { emitPaypal, paypalId, type SandboxContext } from '#sandbox/context.ts'
import { paypalFailure } from '#sandbox/failure.ts'
import type { CaptureRecord, WalletRefundRecord } from '#sandbox/records.ts'
import { decimalOf, minorOf, walletRefundObject } from './paypal-objects.ts'
import type { RefundCreate } from './paypal-params.ts'

const DAYS_180_MS = 180 * 86_400_000

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
  if (ctx.now() - capture.created > DAYS_180_MS) {
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
