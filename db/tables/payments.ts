import type { Generated } from 'kysely'
import type { RefundReason } from '#contract/payments-staff.ts'
import type { Instant, MinorUnits } from '#db/columns.ts'

type Gateway = 'stripe' | 'paypal'

/** One try to pay for a booking. Amount, currency, gateway and expiry never change. */
export interface PaymentRow {
  no: Generated<number>
  id: string
  booking_no: number
  patient_no: number
  gateway: Gateway
  state:
    | 'creating'
    | 'open'
    | 'capturing'
    | 'paid'
    | 'expired'
    | 'abandoned'
    | 'failed'
    | 'refund_due'
    | 'refunded'
    | 'review'
  amount_minor: MinorUnits
  currency: 'GBP' | 'USD'
  /** What is paid for: the booking takes it from here, whatever was chosen since in another tab. */
  visit_type: 'first_visit' | 'follow_up'
  follow_up_basis: 'history' | 'self_declared' | null
  /** When the gateway is told to close it; stored before the call, so that a repeat says the same. */
  expires_at: Instant
  /** Checkout session or order. */
  gw_session: string | null
  /** Payment intent or capture: what a refund names. */
  gw_payment: string | null
  /** What the browser needs to mount the card frame. */
  client_secret: string | null
  /** JSON of the `PaymentOrder` sent to open it; only until the gateway has answered. */
  request: string | null
  /** Why it did not end well. */
  reason: 'declined' | 'cancelled' | 'expired' | 'slot_lost' | 'refunded' | 'mismatch' | null
  /** What came in where that differs from what was asked for; any currency at all. */
  taken_minor: MinorUnits | null
  taken_currency: string | null
  /** What staff decided about such money, who, when and why. */
  decision: 'accepted' | 'returned' | null
  decision_note: string | null
  decided_by: string | null
  decided_at: Instant | null
  /** When the reconciler last looked. */
  checked_at: Instant
  created_at: Instant
  updated_at: Instant
}

/** Money on its way back. */
export interface RefundRow {
  id: string
  payment_no: number
  /** The key that makes it happen once: the reason, or `staff:` and what staff's page named it. */
  key: string
  reason: RefundReason
  amount_minor: MinorUnits
  /** Null for that of the payment; another one only where another one came in. */
  currency: string | null
  /** Why, in the words of the staff member who asked for it; never told outside. */
  note: string | null
  /** Account of that staff member. */
  actor_id: string | null
  state: 'due' | 'pending' | 'done' | 'failed'
  gw_refund: string | null
  /** The gateway's word for why it refused for good. */
  failure: string | null
  tries: number
  /** Part of the idempotency key; grows only once nothing can have been done under the one before. */
  key_round: number
  next_try_at: Instant
  created_at: Instant
  updated_at: Instant
  /** When, by whom and how staff dealt with one that failed for good. */
  dealt_at: Instant | null
  dealt_by: string | null
  dealt_note: string | null
}

/** A webhook as it came, until it was acted on: the truth is read from the gateway. */
export interface GatewayEventRow {
  gateway: Gateway
  id: string
  type: string
  /** Session, order, intent or capture it speaks of. */
  object: string | null
  /** As it came; empty once it was acted on, because it names whoever paid. */
  body: string
  received_at: Instant
  processed_at: Instant | null
  tries: number
  /** When it is looked at next, as long as it was not acted on. */
  due_at: Instant
}

/** Something a gateway's books say that ours do not, or the other way round; staff decide. */
export interface PaymentDifferenceRow {
  gateway: Gateway
  /** Intent, capture or refund it is about. */
  object: string
  kind: /** Money was taken that no payment of ours asked for. */
    | 'no_payment'
    /** Another amount or currency was taken than ours. */
    | 'amount'
    /** Money was taken, and there is neither a visit nor a refund for it. */
    | 'no_visit'
    /** Money went back that nobody here sent. */
    | 'refund_unknown'
    /** A payment counts as paid here, and the gateway has no such money. */
    | 'no_money'
    /** We asked a wallet for money and never learned what became of it. */
    | 'no_answer'
    /** The payer disputes a payment at their bank or wallet. */
    | 'dispute'
  payment_no: number | null
  amount_minor: MinorUnits
  /** As the gateway has it: money we never asked for may be of any. */
  currency: string
  /** What the gateway says of it, such as why a payment is disputed. */
  details: string | null
  found_at: Instant
  /** When staff were mailed about it. */
  told_at: Instant | null
  /** When, by whom and how staff dealt with it. */
  dealt_at: Instant | null
  dealt_by: string | null
  dealt_note: string | null
}

export interface PaymentsTables {
  payments: PaymentRow
  refunds: RefundRow
  gateway_events: GatewayEventRow
  payment_differences: PaymentDifferenceRow
}
