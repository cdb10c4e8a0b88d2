import type { Currency } from '#contract/base/money.ts'
import type { PaymentOptions } from '#contract/payments.ts'
import type { PaypalAccess, StripeAccess } from '#server/kernel/config/config-payments.ts'
import { GatewayRefusal, UpstreamError } from '#server/kernel/errors.ts'

/** What a gateway is asked to collect. All of it is stored first, so that a retry sends the same request. */
export type PaymentOrder = {
  /** Our public id; the idempotency keys are derived from it. */
  paymentId: string
  bookingId: string
  amountMinor: number
  currency: Currency
  email: string
  /** The site's URL, to which the gateway redirects. */
  publicUrl: string
  /** Epoch milliseconds; the card gateway expires the session at this time. */
  expiresAt: number
}

/** A payment's ids at its gateway; `gwPayment` is null until a charge or capture is known. */
export type GatewayIds = { session: string; gwPayment: string | null }

/**
 * The gateway's state of one session or order. `closed` is final: it can no longer be paid. `approved`
 * (wallet): the buyer agreed, no money has moved. `pending`: money is moving. `missing`: the gateway does not
 * know it. `unclear`: it was paid, but the gateway does not say by which charge.
 */
export type GatewayState = {
  state: 'open' | 'approved' | 'pending' | 'paid' | 'declined' | 'closed' | 'missing' | 'unclear'
  /** Our payment id, as stored by the gateway. */
  paymentId: string | null
  amountMinor: number
  currency: string
  /** Payment intent or capture, once there is one; refunds refer to it. */
  gwPayment: string | null
  /** Minor units already refunded, by anyone; disputes are not included. */
  returnedMinor: number
  /** The payer's email. */
  email: string | null
}

/** The money fields of an unpaid session. */
export const NO_MONEY = {
  paymentId: null,
  amountMinor: 0,
  currency: '',
  gwPayment: null,
  returnedMinor: 0,
  email: null,
} as const

export type RefundOrder = {
  paymentId: string
  /** Identifies the refund; the gateway stores it, so that `listReturned` finds it again. */
  key: string
  /** Part of the idempotency key, see `refundKey`. */
  keyRound: number
  gwPayment: string
  amountMinor: number
  /** Currency of the charge. */
  currency: string
}
export type RefundState = { id: string; state: 'pending' | 'done' | 'failed' }

/** A webhook with a verified signature. `object` is the session, order, intent or capture. */
export type GatewayEvent = { id: string; type: string; object: string | null; isLive: boolean }

/** A payer's dispute, with the gateway's own reason and status. */
export type Dispute = {
  id: string
  amountMinor: number
  currency: string
  /** As `fraudulent`; `status` as `needs_response`. */
  reason: string
  status: string
  /** Deadline for evidence, epoch milliseconds; null if the gateway gives none. */
  answerBy: number | null
}

/** A dispute in a gateway's list, with the charge or capture it is about. */
export type ListedDispute = Dispute & { gwPayment: string }

/** What a stored webhook says beyond the object it is about. */
export type EventFacts = {
  /** The charge or capture it names. */
  gwPayment: string | null
  dispute: Dispute | null
}

/** A webhook's signature or timestamp is invalid: 400, not stored, audited. */
export class BadSignatureError extends Error {
  override readonly name = 'BadSignatureError'
}

/** Signed correctly, but not an event we can parse: 400, not stored. */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError'
}

/** Whether an error is one of those that the gateways' methods are documented to throw. */
export function isGatewayFailure(error: unknown): boolean {
  const known = [BadSignatureError, UnreadableEventError, GatewayRefusal, UpstreamError]
  return known.some((kind) => error instanceof kind)
}

/** Money a gateway took, according to the gateway. */
export type GatewayCharge = {
  /** Payment intent or capture. */
  gwPayment: string
  /** Our payment id, as stored by the gateway; null for money that no payment of ours asked for. */
  paymentId: string | null
  amountMinor: number
  currency: string
}
/** A refund according to the gateway. `failed` means that the bank returned the money to us. */
export type GatewayRefund = GatewayCharge & {
  id: string
  state: RefundState['state']
  /** `RefundOrder.key`; null for a refund made by hand at the gateway. */
  key: string | null
}
/** Charges and refunds, for the daily reconciliation. */
export type GatewayTransactions = { taken: GatewayCharge[]; returned: GatewayRefund[] }
/** Charges and refunds of one order; null for refunds that exist but that PayPal no longer lists. */
export type OrderTransactions = { taken: GatewayCharge[]; returned: GatewayRefund[] | null }

/**
 * Operations of both gateways. Every method throws `UpstreamError` when the gateway is unreachable or its
 * response is invalid, so that the caller keeps the time claimed and retries; `open` and `refund` throw
 * `GatewayRefusal` when retrying the same request is pointless.
 */
type Gateway = {
  read(names: GatewayIds): Promise<GatewayState>
  refund(order: RefundOrder): Promise<RefundState>
  readRefund(id: string): Promise<RefundState>
  /**
   * Every refund of one payment, including those made by hand at the gateway. Null if there are refunds that
   * the gateway no longer lists.
   */
  listReturned(names: GatewayIds): Promise<GatewayRefund[] | null>
  /** Disputes opened since then (epoch milliseconds); for the wallet also those updated since. */
  listDisputes(epochMs: number): Promise<ListedDispute[]>
  /** Checks the signature. Throws `BadSignatureError`. */
  readEvent(body: string, headers: Headers): Promise<GatewayEvent>
  /** Parses the body of an event whose signature was verified on receipt. */
  readFacts(body: string): EventFacts
}

/** Card payments. */
export type CardGateway = Gateway & {
  open(order: PaymentOrder): Promise<{ session: string; clientSecret: string }>
  /** Expires a session and returns its final state: `closed`, or `paid` if payment came first. */
  close(session: string): Promise<GatewayState>
  /** All charges and refunds since then, including those made by hand at the gateway. */
  listSince(epochMs: number): Promise<GatewayTransactions>
}

/** Wallet payments: no money moves until our server captures the order. */
export type WalletGateway = Gateway & {
  open(order: PaymentOrder): Promise<{ session: string }>
  /** Captures an approved order; idempotent. */
  capture(session: string, paymentId: string): Promise<GatewayState>
  /**
   * Charges and refunds of one order. There is no list of everything: PayPal's transaction search lags by up
   * to three hours and needs a separate permission. So our own orders are read one by one; money without an
   * order of ours appears in PayPal's own reports only.
   */
  listTransactions(names: GatewayIds): Promise<OrderTransactions>
}

/** How to reach both protocols of the sandbox; its port may change when it restarts. */
export type SandboxAccess = { stripe: StripeAccess; paypal: PaypalAccess }
export type SandboxConnection = {
  /** Rejects with `UpstreamError` while the sandbox cannot be reached. */
  access(): Promise<SandboxAccess>
}

export type PaymentGateways = {
  stripe: CardGateway
  paypal: WalletGateway
  /** Public configuration a checkout page needs to reach the same gateways. */
  options(): Promise<PaymentOptions>
  /** Null where both gateways are the real ones. */
  sandbox: SandboxConnection | null
}

/**
 * The idempotency key of a refund, the same for every retry. `keyRound` increases only after a failure that
 * the gateway replays under the key, and only once its list of refunds shows that nothing was done.
 */
export function refundKey({ paymentId, key, keyRound }: RefundOrder): string {
  return `pay:${paymentId}:refund:${key}${keyRound === 0 ? '' : `:${keyRound}`}`
}

/** A refund's `invoice_id` at PayPal, the one identifier of ours it stores with a refund. */
export function refundInvoiceId({
  paymentId,
  key,
}: Pick<RefundOrder, 'paymentId' | 'key'>): string {
  return `${paymentId}:${key}`
}

/** The refund key in an `invoice_id`; null if it is not one of ours. */
export function refundKeyIn(name: string | undefined): string | null {
  return /^pay_[0-9a-z]{26}:(.+)$/.exec(name ?? '')?.[1] ?? null
}
