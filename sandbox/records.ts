/** The sandbox's stored records; the wire formats of both protocols are derived from them. */
export type SessionRecord = {
  id: string
  /** Follows the session's id in the client secret. */
  secret: string
  status: 'open' | 'complete' | 'expired'
  amount: number
  /** Lower case, as Stripe writes it. */
  currency: string
  product: string
  quantity: number
  reference: string | null
  email: string | null
  metadata: Record<string, string>
  intentMetadata: Record<string, string>
  transferGroup: string | null
  returnUrl: string | null
  redirect: 'always' | 'if_required' | 'never'
  hasAdaptivePricing: boolean
  /** Seconds, as everywhere in this protocol. */
  created: number
  expiresAt: number
  /** Created at the first payment attempt. */
  intent: string | null
  payer: { name: string; country: string; postcode: string } | null
}

export type CardFacts = { brand: string; last4: string; month: number; year: number }

export type IntentRecord = {
  id: string
  session: string
  amount: number
  currency: string
  metadata: Record<string, string>
  transferGroup: string | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  created: number
  canceledAt: number | null
  charge: string | null
  failure: CardRefusal | null
  /** The card that awaits its holder's authentication; only while action is required. */
  waiting: { card: CardFacts; outcome: string; name: string } | null
}

export type CardRefusal = { code: string; declineCode: string | null; message: string }

export type ChargeRecord = {
  id: string
  intent: string
  amount: number
  currency: string
  refunded: number
  metadata: Record<string, string>
  transferGroup: string | null
  created: number
  card: CardFacts
  name: string
  email: string | null
  isDisputed: boolean
  /** Taken from the card: its refunds fail later. */
  failsRefunds: boolean
  failure: CardRefusal | null
  with3ds: boolean
}

export type RefundRecord = {
  id: string
  charge: string
  intent: string
  amount: number
  currency: string
  reason: string | null
  metadata: Record<string, string>
  status: 'pending' | 'succeeded' | 'failed'
  created: number
  /** Seconds; a refund that will fail does so then. */
  failsAt: number | null
}

export type DisputeRecord = {
  id: string
  charge: string
  intent: string
  amount: number
  currency: string
  created: number
  reason: string
  status: 'needs_response' | 'won' | 'lost'
}

export type EndpointRecord = {
  id: string
  url: string
  secret: string
  events: string[]
  created: number
}

export type WalletOutcome = 'pay' | 'decline' | 'pending_complete' | 'pending_deny'

export type OrderRecord = {
  /** 17 capital letters and digits. */
  id: string
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'
  referenceId: string
  customId: string | null
  invoiceId: string | null
  description: string | null
  currency: string
  /** As sent: `50.00`. */
  value: string
  returnUrl: string | null
  cancelUrl: string | null
  /** Epoch milliseconds. */
  created: number
  updated: number
  payer: { id: string; email: string; given: string; family: string; country: string } | null
  outcome: WalletOutcome
  capture: string | null
  /** GET answers 404, though its money may still move. */
  isForgotten?: boolean
}

export type CaptureRecord = {
  id: string
  order: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED'
  currency: string
  value: string
  refundedMinor: number
  customId: string | null
  invoiceId: string | null
  created: number
  updated: number
  /** When a pending one is decided, and how. */
  decideAt: number | null
  decision: 'COMPLETED' | 'DECLINED' | null
}

export type WalletRefundRecord = {
  id: string
  capture: string
  status: 'COMPLETED'
  currency: string
  value: string
  customId: string | null
  invoiceId: string | null
  created: number
}

export type WalletDisputeRecord = {
  /** `PP-D-` and digits. */
  id: string
  capture: string
  reason: string
  currency: string
  value: string
  created: number
  updated: number
  /** Null while it is open. */
  outcome: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR' | null
}

export type Protocol = 'stripe' | 'paypal'

/** An event in full, as it was created: every delivery of it is identical to the byte. */
export type EventRecord = {
  id: string
  protocol: Protocol
  type: string
  object: string
  body: string
  created: number
}

export type DeliveryRecord = {
  id: string
  event: string
  /** `app`, or the id of a registered endpoint. */
  endpoint: string
  tries: number
  /** Epoch milliseconds of the next try; null when delivered or given up. */
  nextAt: number | null
  /** HTTP status of the last try; 0 when there was no response. */
  status: number | null
}

export type Records = {
  session: SessionRecord
  intent: IntentRecord
  charge: ChargeRecord
  refund: RefundRecord
  dispute: DisputeRecord
  endpoint: EndpointRecord
  order: OrderRecord
  capture: CaptureRecord
  walletRefund: WalletRefundRecord
  walletDispute: WalletDisputeRecord
  event: EventRecord
  delivery: DeliveryRecord
}
export type Kind = keyof Records
