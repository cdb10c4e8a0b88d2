import type { ChargeRecord, DisputeRecord, IntentRecord, RefundRecord } from '#sandbox/store.ts'
import { NO_ADDRESS } from './stripe-session-objects.ts'

const BRAND_NAMES: Readonly<Record<string, string>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  amex: 'amex',
}

function lastError({ id, failure, charge }: IntentRecord) {
  if (failure === null) return null
  return {
    ...(charge === null ? {} : { charge }),
    code: failure.code,
    ...(failure.declineCode === null ? {} : { decline_code: failure.declineCode }),
    message: failure.message,
    payment_method_type: 'card',
    type:
      failure.code === 'payment_intent_authentication_failure'
        ? 'invalid_request_error'
        : 'card_error',
    doc_url: `https://docs.stripe.com/error-codes/${failure.code.replaceAll('_', '-')}?intent=${id}`,
  }
}

/** A payment intent. */
export function intentObject(intent: IntentRecord) {
  const isPaid = intent.status === 'succeeded'
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: isPaid ? intent.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: intent.canceledAt,
    cancellation_reason: intent.canceledAt === null ? null : 'void_invoice',
    capture_method: 'automatic_async',
    client_secret: `${intent.id}_secret_${intent.id.slice(-24)}`,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: lastError(intent),
    latest_charge: intent.charge,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: intent.metadata,
    next_action: intent.status === 'requires_action' ? { type: 'use_stripe_sdk' } : null,
    on_behalf_of: null,
    payment_method: isPaid ? `pm_${intent.id.slice(-24)}` : null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: null,
    transfer_group: intent.transferGroup,
  }
}

function cardDetails(charge: ChargeRecord) {
  const { card } = charge
  return {
    amount_authorized: charge.failure === null ? charge.amount : null,
    authorization_code: null,
    brand: BRAND_NAMES[card.brand] ?? 'visa',
    checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
    country: 'GB',
    electronic_commerce_indicator: null,
    exp_month: card.month,
    exp_year: card.year,
    extended_authorization: { status: 'disabled' },
    fingerprint: 'SandboxFingerpri',
    funding: 'credit',
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.last4,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: BRAND_NAMES[card.brand] ?? 'visa',
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: charge.amount, status: 'unavailable' },
    regulated_status: 'unregulated',
    three_d_secure: charge.with3ds
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: null,
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  }
}

/** A charge, successful or not. */
export function chargeObject(charge: ChargeRecord) {
  const { failure } = charge
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: failure === null ? charge.amount : 0,
    amount_refunded: charge.refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: failure === null ? `txn_${charge.id.slice(3)}` : null,
    billing_details: {
      address: NO_ADDRESS,
      email: charge.email,
      name: charge.name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'APPOSITE',
    captured: failure === null,
    created: charge.created,
    currency: charge.currency,
    customer: null,
    description: null,
    disputed: charge.isDisputed,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: failure === null ? null : 'try_again_later',
      network_advice_code: null,
      network_decline_code: failure === null ? null : '01',
      network_status: failure === null ? 'approved_by_network' : 'declined_by_network',
      reason: failure?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: failure === null ? 'Payment complete.' : 'The bank did not approve it.',
      type: failure === null ? 'authorized' : 'issuer_declined',
    },
    paid: failure === null,
    payment_intent: charge.intent,
    payment_method: `pm_${charge.intent.slice(-24)}`,
    payment_method_details: { card: cardDetails(charge), type: 'card' },
    presentment_details: {
      presentment_amount: charge.amount,
      presentment_currency: charge.currency,
    },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: charge.refunded === charge.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: failure === null ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: charge.transferGroup,
  }
}

/** A refund. */
export function refundObject(refund: RefundRecord) {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: `txn_${refund.id.slice(3)}`,
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    ...(refund.status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
    metadata: refund.metadata,
    payment_intent: refund.intent,
    payment_method: `pm_${refund.intent.slice(-24)}`,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  }
}

const NO_EVIDENCE = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
]

/** A dispute; nobody submits evidence in the sandbox. */
export function disputeObject(dispute: DisputeRecord) {
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: [],
    charge: dispute.charge,
    created: dispute.created,
    currency: dispute.currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...Object.fromEntries(NO_EVIDENCE.map((name) => [name, null])),
      enhanced_evidence: {},
    },
    evidence_details: {
      due_by: dispute.created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: dispute.intent,
    reason: dispute.reason,
    status: dispute.status,
  }
}
