import type { Currency } from '#contract/money.ts'
import type { PaymentOptions } from '#contract/payments.ts'
import type { PaypalAccess, StripeAccess } from '#server/kernel/config-payments.ts'

/** What a gateway is told to collect. Everything was stored before: a repeat says the very same. */
export type PaymentOrder = {
  /** Ours; also the base of the idempotency keys. */
  paymentId: string
  bookingId: string
  amountMinor: number
  currency: Currency
  email: string
  /** Epoch milliseconds; the card gateway closes the session by itself then. */
  expiresAt: number
}

/**
 * What the gateway's own books say of one session or order. `closed` is final: nobody can pay it any
 * more. `approved` (wallet): the buyer agreed, nothing moved. `pending`: money is moving.
 */
export type GatewayTruth = {
  state: 'open' | 'approved' | 'pending' | 'paid' | 'declined' | 'closed'
  /** Our id as the gateway kept it. */
  paymentId: string | null
  amountMinor: number
  currency: string
  /** Payment intent or capture, once there is one: what a refund names. */
  gwPayment: string | null
  /** Address of whoever pays. */
  email: string | null
}

export type RefundOrder = {
  paymentId: string
  /** Of the refund: the same key never pays back twice. */
  key: string
  gwPayment: string
  /** Session or order the money came by; where it is known, a refund can be looked for there. */
  session?: string | null
  amountMinor: number
  /** That of the money taken. */
  currency: string
  /** Unanswered tries before this one: a gateway repeats a failure it once gave under a key. */
  tries?: number
}
export type RefundTruth = { id: string | null; state: 'pending' | 'done' | 'failed' }

/** A webhook whose signature was right. `object` is the session, order, intent or capture. */
export type GatewayEvent = { id: string; type: string; object: string | null; isLive: boolean }

/** The signature or the age of a webhook was wrong: answered 400, stored nowhere, audited. */
export class BadSignatureError extends Error {
  override readonly name = 'BadSignatureError'
}

/** Signed as it should be, and still no event we can read: answered 400, stored nowhere. */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError'
}

/** Money a gateway took, by its own books. */
export type TakenMoney = {
  /** Payment intent or capture. */
  gwPayment: string
  /** Our id as the gateway kept it; null for money nobody of ours asked for. */
  paymentId: string | null
  amountMinor: number
  currency: string
}
/** Money a gateway gave back, by its own books. */
export type ReturnedMoney = TakenMoney & {
  id: string
  /** The bank sent it back: it is with us again. */
  isFailed: boolean
}
/** What moved, for the daily comparison. */
export type GatewayBooks = { taken: TakenMoney[]; returned: ReturnedMoney[] }

/**
 * Card payments. Every method throws `UpstreamError` when the gateway cannot be reached or answers
 * nonsense, so that the caller keeps the claim and tries again.
 */
export type CardGateway = {
  open(order: PaymentOrder): Promise<{ session: string; clientSecret: string }>
  read(session: string): Promise<GatewayTruth>
  /** Makes a session unpayable and says how it ended: `closed`, or `paid` when that came first. */
  close(session: string): Promise<GatewayTruth>
  refund(order: RefundOrder): Promise<RefundTruth>
  readRefund(id: string): Promise<RefundTruth>
  readEvent(body: string, headers: Headers): Promise<GatewayEvent>
  /** All money that moved since, also what somebody moved by hand at the gateway. */
  listSince(epochMs: number): Promise<GatewayBooks>
}

/** Wallet payments: nothing is paid before our own server captures. */
export type WalletGateway = {
  open(order: PaymentOrder): Promise<{ session: string }>
  read(session: string): Promise<GatewayTruth>
  /** Takes the money of an approved order, once however often it is called. */
  capture(session: string, paymentId: string): Promise<GatewayTruth>
  refund(order: RefundOrder): Promise<RefundTruth>
  readRefund(id: string): Promise<RefundTruth>
  readEvent(body: string, headers: Headers): Promise<GatewayEvent>
  /**
   * What moved for one order. A list of everything is not to be had here: PayPal's transaction search
   * lags by up to three hours and takes a permission of its own, so our own orders are walked, and
   * money that is nobody's order is seen in PayPal's own reports only.
   */
  readBooks(session: string): Promise<GatewayBooks>
}

/** How both protocols of the embedded sandbox are reached; it may come back on another port. */
export type StandInAccess = { stripe: StripeAccess; paypal: PaypalAccess }
export type StandIn = {
  /** Rejects with `UpstreamError` while the sandbox cannot be reached. */
  access(): Promise<StandInAccess>
}

export type PaymentGateways = {
  stripe: CardGateway
  paypal: WalletGateway
  /** What a checkout page needs to reach the same gateways; nothing in it is secret. */
  options(): Promise<PaymentOptions>
  /** Null where both gateways are the real ones. */
  standIn: StandIn | null
}
