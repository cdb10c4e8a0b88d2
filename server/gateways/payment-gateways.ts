import type { Currency } from '#contract/money.ts'
import type { PaymentOptions } from '#contract/payments.ts'
import type { PaypalAccess, StripeAccess } from '#server/kernel/config/config-payments.ts'
import { GatewayRefusal, UpstreamError } from '#server/kernel/errors.ts'

/** What a gateway is told to collect. All of it is stored before, so that a repeat says the very same. */
export type PaymentOrder = {
  /** Ours; also the base of the idempotency keys. */
  paymentId: string
  bookingId: string
  amountMinor: number
  currency: Currency
  email: string
  /** Where people reach the site; the gateway sends them back there. */
  publicUrl: string
  /** Epoch milliseconds; the card gateway closes the session by itself then. */
  expiresAt: number
}

/** What a payment is called at its gateway; the money is null until a charge or capture is known. */
export type GatewayNames = { session: string; gwPayment: string | null }

/**
 * What the gateway's own books say of one session or order. `closed` is final: nobody can pay it any
 * more. `approved` (wallet): the buyer agreed, nothing moved. `pending`: money is moving. `missing`: the
 * gateway does not know it. `unclear`: it was paid, and the gateway does not say by which charge.
 */
export type GatewayTruth = {
  state: 'open' | 'approved' | 'pending' | 'paid' | 'declined' | 'closed' | 'missing' | 'unclear'
  /** Our id as the gateway kept it. */
  paymentId: string | null
  amountMinor: number
  currency: string
  /** Payment intent or capture, once there is one: what a refund names. */
  gwPayment: string | null
  /** Minor units that went back already, whoever sent them; disputes are not among them. */
  returnedMinor: number
  /** Address of whoever pays. */
  email: string | null
}

/** A truth about money that says nothing of it: of a session nobody paid. */
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
  /** Of the refund: the gateway keeps it, so that it is found again in `listReturned`. */
  key: string
  /** Part of the idempotency key, see `refundKey`. */
  keyRound: number
  gwPayment: string
  amountMinor: number
  /** That of the money taken. */
  currency: string
}
export type RefundTruth = { id: string; state: 'pending' | 'done' | 'failed' }

/** A webhook whose signature was right. `object` is the session, order, intent or capture. */
export type GatewayEvent = { id: string; type: string; object: string | null; isLive: boolean }

/** A payer's dispute, in the gateway's words. */
export type Dispute = {
  id: string
  amountMinor: number
  currency: string
  /** Such as `fraudulent`, and `needs_response`. */
  reason: string
  status: string
  /** Until when evidence is taken, epoch milliseconds; null where the gateway names no time. */
  answerBy: number | null
}

/** A dispute in a gateway's list, with the charge or capture it is about. */
export type ListedDispute = Dispute & { gwPayment: string }

/** What a kept webhook tells beyond the object it is about. */
export type EventFacts = {
  /** Charge or capture it names. */
  gwPayment: string | null
  dispute: Dispute | null
}

/** The signature or the age of a webhook was wrong: answered 400, stored nowhere, audited. */
export class BadSignatureError extends Error {
  override readonly name = 'BadSignatureError'
}

/** Signed as it should be, and still no event we can read: answered 400, stored nowhere. */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError'
}

/** Whether an error is already one of those that the gateways' methods throw. */
export function isGatewayFailure(error: unknown): boolean {
  const known = [BadSignatureError, UnreadableEventError, GatewayRefusal, UpstreamError]
  return known.some((kind) => error instanceof kind)
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
/** Money a gateway gave back, by its own books. Failed is what the bank sent back to us. */
export type ReturnedMoney = TakenMoney & {
  id: string
  state: RefundTruth['state']
  /** `RefundOrder.key`; null for what somebody refunded at the gateway itself. */
  key: string | null
}
/** What moved, for the daily comparison. */
export type GatewayBooks = { taken: TakenMoney[]; returned: ReturnedMoney[] }
/** The same of one order; null where money went back that PayPal no longer lists. */
export type OrderBooks = { taken: TakenMoney[]; returned: ReturnedMoney[] | null }

/**
 * What both gateways can do. Every method throws `UpstreamError` when the gateway cannot be reached or
 * answers nonsense, so that the caller keeps the claim and tries again; `open` and `refund` throw
 * `GatewayRefusal` when trying the same again is of no use.
 */
type Gateway = {
  read(names: GatewayNames): Promise<GatewayTruth>
  refund(order: RefundOrder): Promise<RefundTruth>
  readRefund(id: string): Promise<RefundTruth>
  /**
   * Every refund of one payment, also those sent by hand at the gateway. Null where money went back and
   * the gateway does not list it any more.
   */
  listReturned(names: GatewayNames): Promise<ReturnedMoney[] | null>
  /** Disputes that began since, epoch milliseconds; of the wallet's also those that moved. */
  listDisputes(epochMs: number): Promise<ListedDispute[]>
  /** Checks the signature. Throws `BadSignatureError`. */
  readEvent(body: string, headers: Headers): Promise<GatewayEvent>
  /** What the body of an event says whose signature was checked when it came. */
  readFacts(body: string): EventFacts
}

/** Card payments. */
export type CardGateway = Gateway & {
  open(order: PaymentOrder): Promise<{ session: string; clientSecret: string }>
  /** Makes a session unpayable and says how it ended: `closed`, or `paid` when that came first. */
  close(session: string): Promise<GatewayTruth>
  /** All money that moved since, also what somebody moved by hand at the gateway. */
  listSince(epochMs: number): Promise<GatewayBooks>
}

/** Wallet payments: nothing is paid before our own server captures. */
export type WalletGateway = Gateway & {
  open(order: PaymentOrder): Promise<{ session: string }>
  /** Takes the money of an approved order, once however often it is called. */
  capture(session: string, paymentId: string): Promise<GatewayTruth>
  /**
   * What moved for one order. A list of everything is not to be had here: PayPal's transaction search
   * lags by up to three hours and takes a permission of its own, so our own orders are walked, and
   * money that is nobody's order is seen in PayPal's own reports only.
   */
  readBooks(names: GatewayNames): Promise<OrderBooks>
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

/**
 * The idempotency key of a refund: the same however often it is tried. Only a failure that the gateway
 * keeps under the key asks for another round, and only after its list of refunds showed that nothing
 * was done.
 */
export function refundKey({ paymentId, key, keyRound }: RefundOrder): string {
  return `pay:${paymentId}:refund:${key}${keyRound === 0 ? '' : `:${keyRound}`}`
}

/** What a refund is called at PayPal, which keeps one name of ours (`invoice_id`) with it. */
export function refundName({ paymentId, key }: Pick<RefundOrder, 'paymentId' | 'key'>): string {
  return `${paymentId}:${key}`
}

/** The key in such a name; null for a name we never gave. */
export function keyInName(name: string | undefined): string | null {
  return /^pay_[0-9a-z]{26}:(.+)$/.exec(name ?? '')?.[1] ?? null
}
