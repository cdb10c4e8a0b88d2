import { refundLife } from '#contract/life-cycles/refund.ts'
import { REFUNDS_NOT_LISTED } from '#contract/payments-review.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import { type Context, type Services, systemContext, type Tx } from '#server/context.ts'
import type { GatewayRefund, RefundOrder, RefundState } from '#server/gateways/payment-gateways.ts'
import { isSeededPayment } from '#server/kernel/demo-mode.ts'
import { GatewayRefusal, UpstreamError } from '#server/kernel/errors.ts'
import { perGateway, processRows, type Run } from '#server/payments/paying/per-gateway.ts'
import { notifyStaffIn, recordDifferenceIn } from '#server/payments/reconciliation/differences.ts'
import { isRefundOf, receivedAmount, refundedMinor, refundWait } from '#server/payments/rules.ts'
import { type GatewayName, lockPayment, type Payment, setPaidBack } from '#server/payments/store.ts'
import {
  type DueRefund,
  findDueRefund,
  insertRefund,
  linkRefund,
  listDoneRefunds,
  listDueRefunds,
  listRefundsOf,
  type PaidBy,
  setAmount,
  setRefund,
  setReplaced,
} from './refund-store.ts'

const BATCH = 50

/** PayPal keeps the key of a refund for 45 days. */
const KEY_LIFETIME_MS = 44 * 24 * 60 * 60_000

/** Interval for checking a refund that the bank is still processing. */
const PENDING_WAIT_MS = 10 * 60_000

/** Result of a refund, with the gateway's reason if it was rejected. */
type Outcome = { id: string | null; state: RefundState['state']; failure?: string }

async function sendOrRead(ctx: Context, refund: DueRefund): Promise<Outcome> {
  const gateway = ctx.gateways[refund.gateway]
  // The demo's seeded payments exist at no gateway: there is nothing to refund.
  if (isSeededPayment(ctx.config, refund)) return { id: null, state: 'done' }
  if (refund.gw_refund !== null) return gateway.readRefund(refund.gw_refund)
  // The list is read first: a refund whose response was lost is not sent again, even if its key has expired.
  const returned = await adoptRefunds(ctx, refund)
  const existing = returned?.find((money) => isRefundOf(refund, money))
  if (existing !== undefined) return existing
  const current = await findDueRefund(ctx.database.db, refund.id)
  if (current === undefined) return { id: null, state: 'pending' }
  if (current.gw_refund !== null) return gateway.readRefund(current.gw_refund)
  const order = {
    paymentId: refund.payment_id,
    key: refund.key,
    keyRound: refund.key_round,
    gwPayment: refund.gw_payment ?? '',
    amountMinor: current.amount_minor,
    currency: refund.currency,
  }
  return returned === null ? sendUnlisted(ctx, refund, order) : gateway.refund(order)
}

/**
 * Refunds a payment whose refunds the gateway no longer lists. Only the idempotency key prevents a second
 * refund, for as long as the gateway keeps it; and a refusal proves nothing, as an earlier try may have
 * been executed although its response was lost.
 */
async function sendUnlisted(ctx: Context, refund: DueRefund, order: RefundOrder): Promise<Outcome> {
  if (ctx.now() - refund.created_at > KEY_LIFETIME_MS) {
    throw new GatewayRefusal(REFUNDS_NOT_LISTED, { cause: null })
  }
  try {
    return await ctx.gateways[refund.gateway].refund(order)
  } catch (error) {
    if (!(error instanceof GatewayRefusal) || error.isKept) throw error
    throw new GatewayRefusal(REFUNDS_NOT_LISTED, { cause: error })
  }
}

async function recordOutcome(ctx: Context, refund: DueRefund, truth: Outcome): Promise<void> {
  if (!refundLife.may(truth.state, refund.state)) return
  const now = ctx.now()
  await ctx.transaction(async (tx) => {
    // It may have been reduced since it was read.
    const amount = await setRefund(tx.db, refund, {
      state: refundLife.to(truth.state),
      gw_refund: truth.id ?? refund.gw_refund,
      failure: truth.failure ?? null,
      tries: refund.tries + 1,
      next_try_at: now + PENDING_WAIT_MS,
      now,
    })
    if (amount === null || truth.state === 'pending') return
    const actor = { kind: 'system', id: null } as const
    const entity = refund.payment_id
    if (truth.state === 'failed') {
      // A refund can fail permanently, for example when the card was closed: someone has to pay it back.
      await tx.audit.add({ action: 'payment.refund_failed', outcome: 'failed', entity, actor })
      await tx.outbox.add('payment.alert', { paymentId: entity, what: 'refund_failed' })
      return
    }
    await setPaidBack(tx.db, refund.payment_no, now)
    await tx.audit.add({
      action: 'payment.refunded',
      entity,
      actor,
      details: { amount, currency: refund.currency, reason: refund.reason },
    })
    await tx.outbox.add('payment.refunded', { refundId: refund.id })
  })
}

async function postpone(ctx: Context, refund: DueRefund, error: unknown): Promise<void> {
  const { state, gw_refund, tries } = refund
  // A failure stored under the key is replayed for a day, so the next try uses another key, after reading the
  // list.
  const isKept = error instanceof GatewayRefusal && error.isKept
  const now = ctx.now()
  await setRefund(ctx.database.db, refund, {
    state,
    gw_refund,
    tries: tries + 1,
    key_round: refund.key_round + Number(isKept),
    next_try_at: now + refundWait(tries),
    now,
  })
}

/**
 * Rechecks completed refunds: a bank may return the money to us days later, and then someone has to pay by
 * hand. Throws `UpstreamError` if the gateway is unreachable.
 */
export async function recheckRefunds(ctx: Context, payment: Pick<Payment, 'no'>): Promise<void> {
  for (const refund of await listDoneRefunds(ctx.database.db, payment.no)) {
    await recordOutcome(ctx, refund, await sendOrRead(ctx, refund))
  }
}

async function tryOnce(ctx: Context, refund: DueRefund): Promise<void> {
  try {
    await recordOutcome(ctx, refund, await sendOrRead(ctx, refund))
  } catch (error) {
    if (error instanceof GatewayRefusal && !error.isKept) {
      await recordOutcome(ctx, refund, { id: null, state: 'failed', failure: error.reason })
      return
    }
    // No error may block the other refunds.
    await postpone(ctx, refund, error)
    const isTheirs = error instanceof UpstreamError || error instanceof GatewayRefusal
    const level = isTheirs ? 'warn' : 'error'
    ctx.log[level]({ err: error, refund: refund.id }, 'a refund will be tried again')
  }
}

async function runRefundsAt(
  services: Services,
  gateway: GatewayName,
  signal: AbortSignal,
): Promise<void> {
  const ctx = systemContext(services, 'refunds')
  const due = { gateway, now: services.now(), limit: BATCH }
  const refunds = await listDueRefunds(services.database.db, due)
  await processRows(refunds, { signal }, (refund) => tryOnce(ctx, refund))
}

/** Sends due refunds, once each, and retries until the gateway has responded. */
export async function runRefunds(services: Services, run: Run = {}): Promise<void> {
  await perGateway(run, (gateway, signal) => runRefundsAt(services, gateway, signal))
}

/** Sends one refund now, for a caller who waits; if it fails, the job retries it. */
export async function sendRefund(services: Services, id: string): Promise<void> {
  const refund = await findDueRefund(services.database.db, id)
  if (refund !== undefined) await tryOnce(systemContext(services, 'refunds'), refund)
}

/** Not sent by us yet, or failed: a refund made by hand at the gateway may take its place. */
function isUnpaid(row: RefundRow): boolean {
  if (row.gw_refund !== null) return false
  return row.state === 'due' || (row.state === 'failed' && row.dealt_at === null)
}

/** Our refund that a refund at the gateway is, or takes the place of. */
function findOwn(rows: readonly RefundRow[], money: GatewayRefund): RefundRow | undefined {
  const byName = rows.find((row) => isRefundOf(row, money))
  if (byName !== undefined || money.key !== null) return byName
  return rows.find((row) => isUnpaid(row) && row.amount_minor === money.amountMinor)
}

/** Records a refund made by hand at the gateway; false if our records already contain it. */
async function adopt(
  ctx: Context,
  tx: Tx,
  { payment, money }: { payment: Payment; money: GatewayRefund },
): Promise<boolean> {
  const own = findOwn(await listRefundsOf(tx.db, payment.no), money)
  if (own !== undefined) {
    if (isUnpaid(own)) await linkRefund(tx.db, own.id, { gwRefund: money.id, now: ctx.now() })
    return false
  }
  await insertRefund(tx.db, {
    id: ctx.newId('rfd'),
    payment_no: payment.no,
    key: `gateway:${money.id}`,
    reason: 'gateway',
    amount_minor: money.amountMinor,
    currency: money.currency,
    gw_refund: money.id,
    state: refundLife.to('adopt'),
    now: ctx.now(),
  })
  if (payment.state !== 'paid') return true
  const { gateway } = payment
  await recordDifferenceIn(ctx, tx, {
    kind: 'refund_unknown',
    gateway,
    object: money.id,
    payment,
    money,
  })
  return true
}

/** Reduces a full refund that is still due to what other refunds have left. */
async function reduceDueRefund(ctx: Context, tx: Tx, payment: Payment): Promise<void> {
  if (payment.state !== 'refund_due') return
  const rows = await listRefundsOf(tx.db, payment.no)
  const due = rows.find((row) => isUnpaid(row) && row.state === 'due')
  if (due === undefined) return
  const left = receivedAmount(payment).minor - refundedMinor(rows.filter(({ id }) => id !== due.id))
  if (left >= due.amount_minor) return
  const now = ctx.now()
  if (left > 0) {
    await setAmount(tx.db, due.id, { minor: left, now })
    return
  }
  await setReplaced(tx.db, due.id, now)
  await setPaidBack(tx.db, payment.no, now)
}

/**
 * Reads a payment's refunds at the gateway and updates our records to match, including refunds made by hand. For a
 * booked visit, those are reported to staff at once. Returns the gateway's list, or null if it no longer has one.
 * Throws `UpstreamError` if it cannot be read.
 */
export async function adoptRefunds(ctx: Context, paid: PaidBy): Promise<GatewayRefund[] | null> {
  const { gateway, gw_session: session, gw_payment: gwPayment, payment_no: no } = paid
  if (session === null) return []
  const returned = await ctx.gateways[gateway].listReturned({ session, gwPayment })
  if (returned === null) return null
  // Ours first: a refund without our key must not take the place of one of ours that comes later in the list.
  const moved = returned
    .filter(({ state }) => state !== 'failed')
    .toSorted((one, other) => Number(one.key === null) - Number(other.key === null))
  if (moved.length === 0) return returned
  await ctx.transaction(async (tx) => {
    const payment = await lockPayment(tx.db, no, ctx.now())
    let isNews = false
    for (const money of moved) if (await adopt(ctx, tx, { payment, money })) isNews = true
    if (!isNews) return
    await reduceDueRefund(ctx, tx, payment)
    await notifyStaffIn(ctx, tx)
  })
  return returned
}
