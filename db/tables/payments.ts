import type { Generated } from 'kysely'
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
  /** Why it did not end well. */
  reason: 'declined' | 'cancelled' | 'expired' | 'slot_lost' | 'mismatch' | null
  /** When the reconciler last looked. */
  checked_at: Instant
  created_at: Instant
  updated_at: Instant
}

/** Money on its way back. */
export interface RefundRow {
  id: string
  payment_no: number
  /** One refund a reason: the key that makes it happen once. */
  reason: 'slot_lost' | 'cancelled' | 'staff'
  amount_minor: MinorUnits
  state: 'due' | 'pending' | 'done' | 'failed'
  gw_refund: string | null
  tries: number
  next_try_at: Instant
  created_at: Instant
  updated_at: Instant
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
  payment_no: number | null
  amount_minor: MinorUnits
  /** As the gateway has it: money we never asked for may be of any. */
  currency: string
  found_at: Instant
  /** When staff were mailed about it. */
  told_at: Instant | null
}

export interface PaymentsTables {
  payments: PaymentRow
  refunds: RefundRow
  gateway_events: GatewayEventRow
  payment_differences: PaymentDifferenceRow
}
