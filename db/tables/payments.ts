import type { Generated } from 'kysely'
import type { BankAccountType } from '#contract/bank-accounts.ts'
import type { PaymentState, RefundReason, RefundState } from '#contract/payments.ts'
import type { Flag, Instant, MinorUnits } from '#db/columns.ts'

type Gateway = 'stripe' | 'paypal'

/** One attempt to pay for a booking. Amount, currency, gateway and expiry never change. */
export interface PaymentRow {
  no: Generated<number>
  id: string
  booking_no: number
  patient_no: number
  gateway: Gateway
  state: PaymentState
  amount_minor: MinorUnits
  currency: 'GBP' | 'USD'
  /**
   * The visit type being paid for: the booking takes it from here, even if another tab has since chosen
   * differently.
   */
  visit_type: 'first_visit' | 'follow_up'
  follow_up_basis: 'history' | 'self_declared' | null
  /** Expiry requested from the gateway; stored before the call, so that a retry sends the same. */
  expires_at: Instant
  /** Checkout session or order. */
  gw_session: string | null
  /** Payment intent or capture: refunds refer to it. */
  gw_payment: string | null
  /** The browser needs it to mount the card frame. */
  client_secret: string | null
  /** JSON of the `PaymentOrder` sent to open it; only until the gateway has responded. */
  request: string | null
  /** Why it did not end well. */
  reason: 'declined' | 'cancelled' | 'expired' | 'slot_lost' | 'refunded' | 'mismatch' | null
  /** Amount received, when it differs from the requested one; in any currency. */
  taken_minor: MinorUnits | null
  taken_currency: string | null
  /** Decision of staff about such money, with author, time and reason. */
  decision: 'accepted' | 'returned' | null
  decision_note: string | null
  decided_by: string | null
  decided_at: Instant | null
  /** When the reconciler last looked. */
  checked_at: Instant
  created_at: Instant
  updated_at: Instant
}

/** A refund. */
export interface RefundRow {
  id: string
  payment_no: number
  /** Idempotency key: the reason, or `staff:` and the key chosen by the staff page. */
  key: string
  reason: RefundReason
  amount_minor: MinorUnits
  /** Null for the currency of the payment; set only when the money arrived in another one. */
  currency: string | null
  /** Reason in the words of the staff member who requested it; internal. */
  note: string | null
  /** Account of that staff member. */
  actor_id: string | null
  state: RefundState
  gw_refund: string | null
  /** The gateway's reason for a permanent rejection. */
  failure: string | null
  tries: number
  /**
   * Part of the gateway's idempotency key; incremented only once the previous one cannot have had an effect.
   */
  key_round: number
  next_try_at: Instant
  created_at: Instant
  updated_at: Instant
  /** When, by whom and how staff resolved a permanent failure. */
  dealt_at: Instant | null
  dealt_by: string | null
  dealt_note: string | null
}

/** A webhook as received, until it is processed. Its facts are read from the gateway. */
export interface GatewayEventRow {
  gateway: Gateway
  id: string
  type: string
  /** The session, order, intent or capture it refers to. */
  object: string | null
  /** As received; emptied once processed, because it names the payer. */
  body: string
  received_at: Instant
  processed_at: Instant | null
  tries: number
  /** When it is processed next, unless it already has been. */
  due_at: Instant
}

/** A discrepancy between a gateway's records and ours; staff decide. */
export interface PaymentDifferenceRow {
  gateway: Gateway
  /** Intent, capture or refund it is about. */
  object: string
  kind: /** Money was taken without a matching payment of ours. */
    | 'no_payment'
    /** The amount or currency taken differs from ours. */
    | 'amount'
    /** Money was taken, and there is neither a visit nor a refund for it. */
    | 'no_visit'
    /** Money was refunded at the gateway without a refund of ours. */
    | 'refund_unknown'
    /** A payment counts as paid here, but the gateway has no such money. */
    | 'no_money'
    /** We asked a wallet for money and never learned the result. */
    | 'no_answer'
    /** The payer disputes a payment at their bank or wallet. */
    | 'dispute'
  payment_no: number | null
  amount_minor: MinorUnits
  /** From the gateway: money we never requested may be in any currency. */
  currency: string
  /** The gateway's description, such as why a payment is disputed. */
  details: string | null
  found_at: Instant
  /** When staff were emailed about it. */
  told_at: Instant | null
  /** When, by whom and how staff resolved it. */
  dealt_at: Instant | null
  dealt_by: string | null
  dealt_note: string | null
}

/** A provider's bank account, for payouts. */
export interface BankAccountRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** Name of the account holder. */
  name: string
  account_type: BankAccountType | null
  /** Sort code or routing number with the account number, sealed for this row and this provider. */
  sealed: string
  /** Which key sealed it. */
  key_id: string
  /** Keyed hash of the same numbers: finds an existing account without unsealing any. */
  fingerprint: string
  /** Generated by the form that added it. */
  add_key: string
  is_primary: Flag
  /** Incremented with every edit. */
  version: number
  created_at: Instant
  updated_at: Instant
}

export interface PaymentsTables {
  bank_accounts: BankAccountRow
  gateway_events: GatewayEventRow
  payment_differences: PaymentDifferenceRow
  payments: PaymentRow
  refunds: RefundRow
}
