import type { SessionRecord } from '#sandbox/store.ts'

/** The API version in use; the package of that release pins the same one. */
export const API_VERSION = '2026-10-28.endive'

/** An empty address. */
export const NO_ADDRESS = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
}

export function clientSecretOf({ id, secret }: SessionRecord): string {
  return `${id}_secret_${secret}`
}

function payerOf({ payer, email }: SessionRecord) {
  if (payer === null && email === null) return null
  const address = {
    ...NO_ADDRESS,
    country: payer?.country ?? null,
    postal_code: payer?.postcode ?? null,
  }
  return {
    address: payer === null ? null : address,
    business_name: null,
    email,
    individual_name: null,
    name: payer?.name ?? null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: payer === null ? null : [],
  }
}

/** A checkout session; `client_secret` only while it can be paid, as at Stripe. */
export function sessionObject(session: SessionRecord) {
  const isOver = session.status !== 'open'
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: session.hasAdaptivePricing },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: ['card'],
    amount_subtotal: session.amount,
    amount_total: session.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: null,
    client_reference_id: session.reference,
    client_secret: isOver ? null : clientSecretOf(session),
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: session.created,
    currency: session.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: payerOf(session),
    customer_email: session.email,
    discounts: [],
    expires_at: session.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: {
      enabled: false,
      invoice_data: {
        account_tax_ids: null,
        custom_fields: null,
        description: null,
        footer: null,
        issuer: null,
        metadata: {},
        rendering_options: null,
      },
    },
    livemode: false,
    locale: null,
    managed_payments: { enabled: false },
    metadata: session.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: session.intent,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: session.status === 'complete' ? 'paid' : 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    redirect_on_completion: session.redirect,
    ...(session.returnUrl === null ? {} : { return_url: session.returnUrl }),
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: session.status,
    submit_type: null,
    subscription: null,
    success_url: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'embedded_page',
    url: null,
    wallet_options: null,
  }
}

/** The only line item of a session. */
export function lineItemObject({ id, amount, currency, product, quantity }: SessionRecord) {
  const mark = id.slice(-24)
  return {
    id: `li_${mark}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency,
    description: product,
    metadata: {},
    price: {
      id: `price_${mark}`,
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: 0,
      currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: `prod_${mark.slice(0, 14)}`,
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: amount / quantity,
      unit_amount_decimal: String(amount / quantity),
    },
    quantity,
  }
}
