import type * as z from 'zod/mini'
import { emitPaypal, paypalId, type SandboxContext } from '#sandbox/context.ts'
import { paypalFailure } from '#sandbox/failure.ts'
import type { CaptureRecord, OrderRecord, WalletOutcome } from '#sandbox/store.ts'
import { captureObject, orderObject } from './paypal-objects.ts'
import type { OrderCreate } from './paypal-params.ts'

/** Unpaid orders expire at PayPal after this time. */
const ORDER_TTL_MS = 6 * 3_600_000
/** How long a capture stays pending. */
const DECIDE_AFTER_MS = 10_000

function refuse(issue: string, description: string): never {
  throw paypalFailure(422, [{ issue, description }])
}

/** Creates an order that waits for its buyer's approval. */
export function createOrder(ctx: SandboxContext, wanted: z.infer<typeof OrderCreate>): OrderRecord {
  const [unit] = wanted.purchase_units
  if (unit === undefined) throw paypalFailure(400, [{ issue: 'MISSING_REQUIRED_PARAMETER' }], true)
  if (Number(unit.amount.value) === 0)
    refuse('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.')
  const context = wanted.payment_source?.paypal.experience_context
  const order: OrderRecord = {
    id: paypalId(),
    status: wanted.payment_source === undefined ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
    referenceId: unit.reference_id ?? 'default',
    customId: unit.custom_id ?? null,
    invoiceId: unit.invoice_id ?? null,
    description: unit.description ?? null,
    currency: unit.amount.currency_code,
    value: unit.amount.value,
    returnUrl: context?.return_url ?? null,
    cancelUrl: context?.cancel_url ?? null,
    created: ctx.now(),
    updated: ctx.now(),
    payer: null,
    outcome: 'pay',
    capture: null,
  }
  ctx.store.put('order', order)
  return order
}

function orderNotFound(): never {
  const description = 'Specified resource ID does not exist.'
  throw paypalFailure(404, [{ issue: 'INVALID_RESOURCE_ID', description }])
}

/** The order, unless it was never paid and has expired. */
export function readOrder(ctx: SandboxContext, id: string): OrderRecord {
  const order = ctx.store.find('order', id)
  if (order === undefined) orderNotFound()
  const isOver = order.capture === null && ctx.now() - order.created > ORDER_TTL_MS
  return isOver ? orderNotFound() : order
}

/** The order as GET shows it: missing once it is forgotten, whatever happens to its money. */
export function readKnownOrder(ctx: SandboxContext, id: string): OrderRecord {
  const order = readOrder(ctx, id)
  return order.isForgotten === true ? orderNotFound() : order
}

/** From now on GET returns 404; its capture and its webhooks continue. */
export function forgetOrder(ctx: SandboxContext, id: string): void {
  ctx.store.put('order', { ...readOrder(ctx, id), isForgotten: true })
}

export function captureOf(ctx: SandboxContext, order: OrderRecord): CaptureRecord | null {
  return order.capture === null ? null : (ctx.store.find('capture', order.capture) ?? null)
}

/** The buyer approves on the wallet page, and chooses the outcome to test. */
export function approveOrder(ctx: SandboxContext, id: string, outcome: WalletOutcome): OrderRecord {
  const order = readOrder(ctx, id)
  if (order.status === 'COMPLETED') return order
  const payer = {
    id: 'SANDBXBUYER22',
    email: 'buyer@wallet.example',
    given: 'Sam',
    family: 'Buyer',
    country: order.currency === 'GBP' ? 'GB' : 'US',
  }
  const approved: OrderRecord = {
    ...order,
    status: 'APPROVED',
    payer,
    outcome,
    updated: ctx.now(),
  }
  ctx.store.put('order', approved)
  emitPaypal(ctx, { type: 'CHECKOUT.ORDER.APPROVED', object: orderObject(approved, null) })
  return approved
}

function isInvoiceUsed(ctx: SandboxContext, { id, invoiceId }: OrderRecord): boolean {
  return (
    invoiceId !== null &&
    ctx.store
      .list('capture')
      .some((one) => one.invoiceId === invoiceId && one.order !== id && one.status !== 'DECLINED')
  )
}

function checkCapturable(ctx: SandboxContext, order: OrderRecord): void {
  if (order.status === 'COMPLETED') {
    refuse(
      'ORDER_ALREADY_CAPTURED',
      "Order already captured. If 'intent=CAPTURE' only one capture per order is allowed.",
    )
  }
  if (order.status !== 'APPROVED') {
    refuse('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.')
  }
  if (isInvoiceUsed(ctx, order)) {
    refuse(
      'DUPLICATE_INVOICE_ID',
      'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account setting requires that Invoice Id be unique for each transaction.',
    )
  }
}

/**
 * Sends the order back to its buyer. The caller returns the failure rather than throwing it, so that this
 * change is kept.
 */
export function declineOrder(ctx: SandboxContext, order: OrderRecord): void {
  ctx.store.put('order', {
    ...order,
    status: 'PAYER_ACTION_REQUIRED',
    outcome: 'pay',
    updated: ctx.now(),
  })
}

/** Captures an approved order, or refuses in PayPal's words. */
export function captureOrder(ctx: SandboxContext, id: string): OrderRecord {
  const order = readOrder(ctx, id)
  checkCapturable(ctx, order)
  const isPending = order.outcome === 'pending_complete' || order.outcome === 'pending_deny'
  const capture: CaptureRecord = {
    id: paypalId(),
    order: id,
    status: isPending ? 'PENDING' : 'COMPLETED',
    currency: order.currency,
    value: order.value,
    refundedMinor: 0,
    customId: order.customId,
    invoiceId: order.invoiceId,
    created: ctx.now(),
    updated: ctx.now(),
    decideAt: isPending ? ctx.now() + DECIDE_AFTER_MS : null,
    decision: isPending ? (order.outcome === 'pending_deny' ? 'DECLINED' : 'COMPLETED') : null,
  }
  const completed: OrderRecord = {
    ...order,
    status: 'COMPLETED',
    capture: capture.id,
    updated: ctx.now(),
  }
  ctx.store.put('capture', capture)
  ctx.store.put('order', completed)
  const type = isPending ? 'PAYMENT.CAPTURE.PENDING' : 'PAYMENT.CAPTURE.COMPLETED'
  emitPaypal(ctx, { type, object: captureObject(capture) })
  return completed
}

/** Decides a pending capture. */
export function decideCapture(
  ctx: SandboxContext,
  capture: CaptureRecord,
  decision: 'COMPLETED' | 'DECLINED',
): void {
  if (capture.status !== 'PENDING') return
  const decided: CaptureRecord = {
    ...capture,
    status: decision,
    decideAt: null,
    decision: null,
    updated: ctx.now(),
  }
  ctx.store.put('capture', decided)
  const type = decision === 'COMPLETED' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED'
  emitPaypal(ctx, { type, object: captureObject(decided) })
}

/** Decides pending captures that are due; called periodically. */
export function decideDue(ctx: SandboxContext): void {
  for (const capture of ctx.store.list('capture', 1_000)) {
    const { decideAt, decision } = capture
    if (decideAt !== null && decision !== null && decideAt <= ctx.now()) {
      decideCapture(ctx, capture, decision)
    }
  }
}
