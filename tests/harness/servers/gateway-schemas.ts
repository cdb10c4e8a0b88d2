import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import { DeclaredSchemas } from '#tests/harness/declared-schemas.ts'

const STRIPE = join(dirname(fileURLToPath(import.meta.resolve('stripe'))), 'resources')
// The dependency of the package we use.
const paypal = createRequire(import.meta.resolve('@paypal/react-paypal-js'))
const PAYPAL = join(
  dirname(paypal.resolve('@paypal/paypal-js')),
  '../../types/apis/openapi/checkout_orders_v2.d.ts',
)

// Charges show refunds, and intents charges, as ids: resources of other files are reduced to an id.
const isWhole = (found: { file: string }, from: { file: string }): boolean =>
  found.file === from.file || found.file.endsWith('/shared.d.ts')

const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
const answers = new DeclaredSchemas({ wire: 'json', isWhole })
const forms = new DeclaredSchemas({ wire: 'form', isWhole })

function stripeType(schemas: DeclaredSchemas, resource: string, name: string): ValidateFunction {
  return ajv.compile(schemas.of(join(STRIPE, `${resource}.d.ts`), name))
}

/** Schema of one page of a list of resources. */
function listOf(resource: string, name: string): ValidateFunction {
  const { definitions, ...item } = answers.of(join(STRIPE, `${resource}.d.ts`), name)
  const properties = {
    object: { const: 'list' },
    data: { type: 'array', items: item },
    has_more: { type: 'boolean' },
    url: { type: 'string' },
  }
  const required = Object.keys(properties)
  return ajv.compile({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
    definitions,
  })
}

/** Schemas of the Stripe resources we use, generated from the package's type declarations. */
export const stripeSchemas = {
  session: stripeType(answers, 'Checkout/Sessions', 'Session'),
  sessionList: listOf('Checkout/Sessions', 'Session'),
  intent: stripeType(answers, 'PaymentIntents', 'PaymentIntent'),
  charge: stripeType(answers, 'Charges', 'Charge'),
  chargeList: listOf('Charges', 'Charge'),
  refund: stripeType(answers, 'Refunds', 'Refund'),
  refundList: listOf('Refunds', 'Refund'),
  dispute: stripeType(answers, 'Disputes', 'Dispute'),
  disputeList: listOf('Disputes', 'Dispute'),
  endpoint: stripeType(answers, 'WebhookEndpoints', 'WebhookEndpoint'),
  sessionCreate: stripeType(forms, 'Checkout/Sessions', 'Checkout.SessionCreateParams'),
  refundCreate: stripeType(forms, 'Refunds', 'RefundCreateParams'),
}

function paypalType(word: string): ValidateFunction {
  return ajv.compile(answers.ofComponent(PAYPAL, word))
}

const money = {
  type: 'object',
  properties: {
    currency_code: { enum: ['GBP', 'USD'] },
    value: { type: 'string', pattern: '^\\d{1,7}\\.\\d{2}$' },
  },
  required: ['currency_code', 'value'],
  additionalProperties: false,
}
const text = { type: 'string', minLength: 1, maxLength: 127 }
const links = { type: 'array' }

/**
 * PayPal's package declares orders; captures, refunds, disputes and events are written by hand from
 * PayPal's documentation.
 */
export const paypalSchemas = {
  orderRequest: paypalType('order_request'),
  order: paypalType('order'),
  refundRequest: ajv.compile({
    type: 'object',
    properties: {
      amount: money,
      custom_id: text,
      invoice_id: text,
      note_to_payer: { type: 'string', maxLength: 255 },
    },
    additionalProperties: false,
  }),
  capture: ajv.compile({
    type: 'object',
    properties: {
      id: text,
      status: {
        enum: ['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED'],
      },
      status_details: { type: 'object' },
      amount: money,
      final_capture: { type: 'boolean' },
      custom_id: text,
      invoice_id: text,
      seller_receivable_breakdown: { type: 'object' },
      supplementary_data: {
        type: 'object',
        properties: {
          related_ids: {
            type: 'object',
            properties: { order_id: { type: 'string', pattern: '^[A-Z0-9]{1,20}$' } },
            required: ['order_id'],
            additionalProperties: false,
          },
        },
        required: ['related_ids'],
        additionalProperties: false,
      },
      create_time: text,
      update_time: text,
      links,
    },
    required: ['id', 'status', 'amount', 'supplementary_data', 'create_time', 'links'],
    additionalProperties: false,
  }),
  dispute: ajv.compile({
    type: 'object',
    properties: {
      dispute_id: { type: 'string', pattern: '^[A-Za-z0-9-]+$' },
      create_time: text,
      update_time: text,
      disputed_transactions: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            seller_transaction_id: text,
            create_time: text,
            transaction_status: { enum: ['COMPLETED', 'REVERSED', 'REFUNDED'] },
            gross_amount: money,
            custom: text,
            invoice_number: text,
            seller_protection_eligible: { type: 'boolean' },
          },
          required: ['seller_transaction_id'],
          additionalProperties: false,
        },
      },
      reason: text,
      status: { enum: ['OPEN', 'WAITING_FOR_SELLER_RESPONSE', 'UNDER_REVIEW', 'RESOLVED'] },
      dispute_amount: money,
      dispute_outcome: {
        type: 'object',
        properties: { outcome_code: text, amount_refunded: money },
        additionalProperties: false,
      },
      dispute_life_cycle_stage: {
        enum: ['INQUIRY', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'],
      },
      dispute_channel: { enum: ['INTERNAL', 'EXTERNAL', 'ALERT'] },
      links,
    },
    required: ['dispute_id', 'reason', 'status', 'dispute_amount', 'disputed_transactions'],
    additionalProperties: false,
  }),
  refund: ajv.compile({
    type: 'object',
    properties: {
      id: text,
      status: { enum: ['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED'] },
      amount: money,
      custom_id: text,
      invoice_id: text,
      create_time: text,
      update_time: text,
      links,
    },
    required: ['id', 'status', 'amount', 'create_time', 'links'],
    additionalProperties: false,
  }),
  event: ajv.compile({
    type: 'object',
    properties: {
      id: text,
      event_version: { const: '1.0' },
      create_time: text,
      resource_type: { enum: ['checkout-order', 'capture', 'refund', 'dispute'] },
      resource_version: { const: '2.0' },
      event_type: text,
      summary: { type: 'string' },
      resource: { type: 'object' },
      links,
    },
    required: ['id', 'event_type', 'resource_type', 'resource'],
    additionalProperties: false,
  }),
}

/** Schema violations of a value, one per line; empty when it conforms. */
export function faultsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
  )
}
