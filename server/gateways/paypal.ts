import * as z from 'zod/mini'
import { UpstreamError } from '#server/kernel/errors.ts'
import {
  BadSignatureError,
  type GatewayBooks,
  type GatewayEvent,
  type GatewayTruth,
  type PaymentOrder,
  type RefundOrder,
  type RefundTruth,
  UnreadableEventError,
  type WalletGateway,
} from './payment-gateways.ts'
import { PaypalHttp, type PaypalOptions, PaypalRefusal } from './paypal-http.ts'
import {
  booksOf,
  decimalOf,
  FORGOTTEN,
  findReturned,
  Order,
  orderBody,
  refundTruth,
  truthOf,
} from './paypal-orders.ts'
import { refundKey } from './refund-key.ts'

type Options = PaypalOptions & {
  /** Where people reach the site; the wallet sends them back there. */
  publicUrl: string
}

const Verdict = z.object({ verification_status: z.string() })
const Event = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.optional(
    z.object({
      id: z.optional(z.string()),
      supplementary_data: z.optional(
        z.object({ related_ids: z.optional(z.object({ order_id: z.optional(z.string()) })) }),
      ),
    }),
  ),
})

/** Final answers to a capture: this order brings no money. */
const DECLINED: ReadonlySet<string> = new Set([
  'INSTRUMENT_DECLINED',
  'TRANSACTION_REFUSED',
  'PAYER_CANNOT_PAY',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'COMPLIANCE_VIOLATION',
  'DUPLICATE_INVOICE_ID',
])
/** The order itself knows more than the refusal says. */
const READ_AGAIN: ReadonlySet<string> = new Set([
  'ORDER_ALREADY_CAPTURED',
  'ORDER_NOT_APPROVED',
  'PAYER_ACTION_REQUIRED',
])

const SIGNATURE_HEADERS = [
  ['auth_algo', 'paypal-auth-algo'],
  ['cert_url', 'paypal-cert-url'],
  ['transmission_id', 'paypal-transmission-id'],
  ['transmission_sig', 'paypal-transmission-sig'],
  ['transmission_time', 'paypal-transmission-time'],
] as const

class PaypalGateway implements WalletGateway {
  readonly #options: Options
  readonly #http: PaypalHttp
  /** PayPal may fail the second of two captures at once, so there is one call for both. */
  readonly #capturing = new Map<string, Promise<GatewayTruth>>()

  constructor(options: Options) {
    this.#options = options
    this.#http = new PaypalHttp(options)
  }

  open(order: PaymentOrder): Promise<{ session: string }> {
    return this.#guard(async () => {
      const answer = await this.#http.send({
        method: 'POST',
        path: '/v2/checkout/orders',
        body: orderBody(order, this.#options.publicUrl),
        requestId: `pay:${order.paymentId}:create`,
      })
      return { session: Order.parse(answer).id }
    })
  }

  read(session: string): Promise<GatewayTruth> {
    return this.#guard(async () => {
      const order = await this.#find(session)
      return order === null ? FORGOTTEN : truthOf(order)
    })
  }

  readBooks(session: string): Promise<GatewayBooks> {
    return this.#guard(async () => {
      const order = await this.#find(session)
      return order === null ? { taken: [], returned: [] } : booksOf(order)
    })
  }

  /** Null for an order PayPal has forgotten. */
  async #find(session: string): Promise<Order | null> {
    try {
      const path = `/v2/checkout/orders/${encodeURIComponent(session)}`
      return Order.parse(await this.#http.send({ method: 'GET', path }))
    } catch (error) {
      if (error instanceof PaypalRefusal && error.status === 404) return null
      throw error
    }
  }

  capture(session: string, paymentId: string): Promise<GatewayTruth> {
    const running = this.#capturing.get(session)
    if (running !== undefined) return running
    const started = this.#guard(() => this.#captureOnce(session, paymentId)).finally(() =>
      this.#capturing.delete(session),
    )
    this.#capturing.set(session, started)
    return started
  }

  async #captureOnce(session: string, paymentId: string): Promise<GatewayTruth> {
    try {
      const answer = await this.#http.send({
        method: 'POST',
        path: `/v2/checkout/orders/${encodeURIComponent(session)}/capture`,
        body: '{}',
        requestId: `pay:${paymentId}:capture`,
      })
      return truthOf(Order.parse(answer))
    } catch (error) {
      if (!(error instanceof PaypalRefusal)) throw error
      return this.#afterRefusal(session, error)
    }
  }

  async #afterRefusal(session: string, { status, issue }: PaypalRefusal): Promise<GatewayTruth> {
    if (status === 404) return FORGOTTEN
    const truth = await this.read(session)
    if (READ_AGAIN.has(issue)) return truth
    if (issue === 'ORDER_COMPLETION_IN_PROGRESS') return { ...truth, state: 'pending' }
    // Whatever was refused, money that moved has moved.
    const isOver = truth.state === 'paid' || truth.state === 'pending'
    if (isOver || !DECLINED.has(issue)) {
      if (isOver) return truth
      throw new Error(`PayPal refused to capture: ${issue}`)
    }
    return { ...truth, state: 'declined' }
  }

  refund(order: RefundOrder): Promise<RefundTruth> {
    return this.#guard(async () => {
      const name = `${order.paymentId}:${order.key}`
      // Looked up first: a new key may only follow when the one before it has done nothing.
      const earlier = (order.tries ?? 0) > 0 ? await this.#findRefund(order, name) : undefined
      if (earlier !== undefined) return earlier
      try {
        const answer = await this.#http.send({
          method: 'POST',
          path: `/v2/payments/captures/${encodeURIComponent(order.gwPayment)}/refund`,
          body: JSON.stringify({
            amount: { currency_code: order.currency, value: decimalOf(order.amountMinor) },
            custom_id: order.paymentId,
            invoice_id: name,
          }),
          requestId: refundKey(order),
        })
        return refundTruth(answer)
      } catch (error) {
        if (error instanceof PaypalRefusal && error.issue === 'CAPTURE_FULLY_REFUNDED') {
          return { id: null, state: 'done' }
        }
        throw error
      }
    })
  }

  async #findRefund({ session }: RefundOrder, name: string): Promise<RefundTruth | undefined> {
    const order = typeof session === 'string' ? await this.#find(session) : null
    return order === null ? undefined : findReturned(order, name)
  }

  readRefund(id: string): Promise<RefundTruth> {
    const path = `/v2/payments/refunds/${encodeURIComponent(id)}`
    return this.#guard(async () => refundTruth(await this.#http.send({ method: 'GET', path })))
  }

  readEvent(body: string, headers: Headers): Promise<GatewayEvent> {
    return this.#guard(async () => {
      // Only JSON can be sent on to be verified.
      const sent = jsonOf(body)
      const { webhookId, environment } = await this.#http.access()
      const signed: [string, string][] = SIGNATURE_HEADERS.map(([field, header]) => [
        field,
        headers.get(header) ?? '',
      ])
      if (signed.some(([, value]) => value === '')) {
        throw new BadSignatureError('A PayPal event without a signature.')
      }
      const facts = JSON.stringify({ ...Object.fromEntries(signed), webhook_id: webhookId })
      // The very bytes that came: written anew, the checksum they are signed with would differ.
      const question = `${facts.slice(0, -1)},"webhook_event":${body}}`
      const path = '/v1/notifications/verify-webhook-signature'
      const answer = await this.#verify({ method: 'POST', path, body: question })
      if (Verdict.parse(answer).verification_status !== 'SUCCESS') {
        throw new BadSignatureError('The signature of a PayPal event is wrong.')
      }
      const event = Event.safeParse(sent)
      if (!event.success) {
        throw new UnreadableEventError('Signed by PayPal, but no event.', { cause: event.error })
      }
      const { id, event_type: type, resource } = event.data
      const order = resource?.supplementary_data?.related_ids?.order_id
      return {
        id,
        type,
        object: order ?? resource?.id ?? null,
        isLive: environment === 'production',
      }
    })
  }

  async #verify(call: { method: 'POST'; path: string; body: string }): Promise<unknown> {
    try {
      return await this.#http.send(call)
    } catch (error) {
      // It could not even read what it was asked to verify.
      if (error instanceof PaypalRefusal && [400, 422].includes(error.status)) {
        throw new BadSignatureError('PayPal does not know this event.', { cause: error })
      }
      throw error
    }
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const isOurs = error instanceof BadSignatureError || error instanceof UnreadableEventError
      if (isOurs || error instanceof UpstreamError) throw error
      throw new UpstreamError('PayPal', error)
    }
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new BadSignatureError('A PayPal event that cannot be read.', { cause: error })
  }
}

/** The wallet gateway over PayPal's REST interface, or a stand-in that speaks as it does. */
export function makePaypal(options: Options): WalletGateway {
  return new PaypalGateway(options)
}
