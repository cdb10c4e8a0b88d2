import * as z from 'zod/mini'
import { isoText } from '#server/kernel/clock.ts'
import { urlOf } from '#server/kernel/config/config-reader.ts'
import { GatewayRefusal, UpstreamError } from '#server/kernel/errors.ts'
import {
  BadSignatureError,
  type EventFacts,
  type GatewayEvent,
  type GatewayIds,
  type GatewayRefund,
  type GatewayState,
  isGatewayFailure,
  type ListedDispute,
  type OrderTransactions,
  type PaymentOrder,
  type RefundOrder,
  type RefundState,
  refundInvoiceId,
  refundKey,
  UnreadableEventError,
  type WalletGateway,
} from './payment-gateways.ts'
import { PaypalHttp, type PaypalOptions, PaypalRefusal } from './paypal-http.ts'
import {
  Capture,
  captureGatewayState,
  DISPUTES_PATH,
  Disputed,
  DisputePage,
  decimalOf,
  disputedCapture,
  disputeFields,
  disputeIn,
  gatewayStateOf,
  MISSING,
  nextPage,
  Order,
  orderBody,
  refundStateOf,
  transactionsOf,
} from './paypal-objects.ts'

const Verdict = z.object({ verification_status: z.string() })
const Event = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.optional(
    z.object({
      ...disputeFields,
      id: z.optional(z.string()),
      links: z.optional(z.array(z.object({ rel: z.string(), href: z.string() }))),
      supplementary_data: z.optional(
        z.object({
          related_ids: z.optional(
            z.object({ order_id: z.optional(z.string()), capture_id: z.optional(z.string()) }),
          ),
        }),
      ),
    }),
  ),
})

/** Final rejections of a capture: this order will not be paid. */
const DECLINED: ReadonlySet<string> = new Set([
  'INSTRUMENT_DECLINED',
  'TRANSACTION_REFUSED',
  'PAYER_CANNOT_PAY',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'COMPLIANCE_VIOLATION',
  'DUPLICATE_INVOICE_ID',
])
/** Rejections after which the order has to be read again. */
const REREAD_ISSUES: ReadonlySet<string> = new Set([
  'ORDER_ALREADY_CAPTURED',
  'ORDER_NOT_APPROVED',
  'PAYER_ACTION_REQUIRED',
])

type Event = z.infer<typeof Event>

/** Events whose resource is a capture; that of PAYMENT.CAPTURE.REFUNDED is the refund. */
const CAPTURE_EVENTS = /^PAYMENT\.CAPTURE\.(?:COMPLETED|PENDING|DENIED|DECLINED)$/

/** The capture of a refund, from its `up` link. */
function refundedCapture({ resource }: Event): string | null {
  const up = resource?.links?.find(({ rel }) => rel === 'up')?.href ?? ''
  return /\/v2\/payments\/captures\/([^/]+)$/.exec(up)?.[1] ?? null
}

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([401, 403, 409, 429])

const SIGNATURE_HEADERS = [
  ['auth_algo', 'paypal-auth-algo'],
  ['cert_url', 'paypal-cert-url'],
  ['transmission_id', 'paypal-transmission-id'],
  ['transmission_sig', 'paypal-transmission-sig'],
  ['transmission_time', 'paypal-transmission-time'],
] as const

class PaypalGateway implements WalletGateway {
  readonly #http: PaypalHttp
  /** PayPal may fail the second of two concurrent captures, so both share one call. */
  readonly #capturing = new Map<string, Promise<GatewayState>>()

  constructor(options: PaypalOptions) {
    this.#http = new PaypalHttp(options)
  }

  open(order: PaymentOrder): Promise<{ session: string }> {
    return this.#ask(async () => {
      const answer = await this.#http.send({
        method: 'POST',
        path: '/v2/checkout/orders',
        body: orderBody(order),
        requestId: `pay:${order.paymentId}:create`,
      })
      return { session: Order.parse(answer).id }
    })
  }

  read(names: GatewayIds): Promise<GatewayState> {
    return this.#guard(() => this.#readTruth(names))
  }

  /** Reads the order; if it is gone, or omits its capture, reads the capture instead. */
  async #readTruth({ session, gwPayment }: GatewayIds): Promise<GatewayState> {
    const order = await this.#find(session)
    const truth = order === null ? MISSING : gatewayStateOf(order)
    if (gwPayment === null || (truth.state !== 'missing' && truth.state !== 'unclear')) return truth
    const capture = await this.#findCapture(gwPayment)
    return capture === null ? truth : captureGatewayState(capture)
  }

  listTransactions(names: GatewayIds): Promise<OrderTransactions> {
    return this.#guard(async () => {
      const order = await this.#find(names.session)
      const moved = order === null ? { taken: [], returned: [] } : transactionsOf(order)
      if (moved.taken.length > 0 || names.gwPayment === null) return moved
      const { state, gwPayment, returnedMinor, ...money } = await this.#readTruth(names)
      if (gwPayment === null || (state !== 'paid' && state !== 'unclear')) return moved
      // Only an order lists refunds, but the capture's status shows whether there are any.
      const isUnlisted = state === 'unclear' || returnedMinor > 0
      return { taken: [{ ...money, gwPayment }], returned: isUnlisted ? null : [] }
    })
  }

  listReturned({ session, gwPayment }: GatewayIds): Promise<GatewayRefund[] | null> {
    return this.#guard(async () => {
      const order = await this.#find(session)
      const moved = order === null ? null : transactionsOf(order)
      if (moved !== null && moved.taken.length > 0) return moved.returned
      const capture = gwPayment === null ? null : await this.#findCapture(gwPayment)
      // Only an order lists refunds, but the capture's status shows whether there are any.
      return capture === null || capture.status === 'COMPLETED' ? [] : null
    })
  }

  /** Null for an order PayPal no longer knows. */
  async #find(session: string): Promise<Order | null> {
    const path = `/v2/checkout/orders/${encodeURIComponent(session)}`
    const answer = await this.#get(path)
    return answer === null ? null : Order.parse(answer)
  }

  async #findCapture(id: string): Promise<Capture | null> {
    const answer = await this.#get(`/v2/payments/captures/${encodeURIComponent(id)}`)
    return answer === null ? null : Capture.parse(answer)
  }

  async #get(path: string): Promise<unknown> {
    try {
      return await this.#http.send({ method: 'GET', path })
    } catch (error) {
      if (error instanceof PaypalRefusal && error.status === 404) return null
      throw error
    }
  }

  capture(session: string, paymentId: string): Promise<GatewayState> {
    const running = this.#capturing.get(session)
    if (running !== undefined) return running
    const started = this.#guard(() => this.#captureOnce(session, paymentId)).finally(() =>
      this.#capturing.delete(session),
    )
    this.#capturing.set(session, started)
    return started
  }

  async #captureOnce(session: string, paymentId: string): Promise<GatewayState> {
    try {
      const answer = await this.#http.send({
        method: 'POST',
        path: `/v2/checkout/orders/${encodeURIComponent(session)}/capture`,
        body: '{}',
        requestId: `pay:${paymentId}:capture`,
      })
      return gatewayStateOf(Order.parse(answer))
    } catch (error) {
      if (!(error instanceof PaypalRefusal)) throw error
      return this.#afterRefusal(session, error)
    }
  }

  async #afterRefusal(session: string, { status, issue }: PaypalRefusal): Promise<GatewayState> {
    if (status === 404) return MISSING
    const truth = await this.#readTruth({ session, gwPayment: null })
    if (REREAD_ISSUES.has(issue)) return truth
    if (issue === 'ORDER_COMPLETION_IN_PROGRESS') return { ...truth, state: 'pending' }
    // Money that has moved takes precedence over the rejection.
    const isOver = truth.state === 'paid' || truth.state === 'pending'
    if (isOver || !DECLINED.has(issue)) {
      if (isOver) return truth
      throw new Error(`PayPal refused to capture: ${issue}`)
    }
    return { ...truth, state: 'declined' }
  }

  refund(order: RefundOrder): Promise<RefundState> {
    return this.#ask(async () =>
      refundStateOf(
        await this.#http.send({
          method: 'POST',
          path: `/v2/payments/captures/${encodeURIComponent(order.gwPayment)}/refund`,
          body: JSON.stringify({
            amount: { currency_code: order.currency, value: decimalOf(order.amountMinor) },
            custom_id: order.paymentId,
            invoice_id: refundInvoiceId(order),
          }),
          requestId: refundKey(order),
        }),
      ),
    )
  }

  readRefund(id: string): Promise<RefundState> {
    const path = `/v2/payments/refunds/${encodeURIComponent(id)}`
    return this.#guard(async () => refundStateOf(await this.#http.send({ method: 'GET', path })))
  }

  listDisputes(epochMs: number): Promise<ListedDispute[]> {
    return this.#guard(async () => {
      const after = encodeURIComponent(isoText(epochMs))
      const disputes: ListedDispute[] = []
      let path: string | null = `${DISPUTES_PATH}?update_time_after=${after}&page_size=50`
      while (path !== null) {
        const page = await this.#readDisputes(path)
        for (const { dispute_id: id } of page.items ?? [])
          disputes.push(await this.#readDispute(id))
        path = nextPage(page)
      }
      return disputes
    })
  }

  /** Empty without PayPal's permission for disputes: then only events report them. */
  async #readDisputes(path: string) {
    try {
      return DisputePage.parse(await this.#http.send({ method: 'GET', path }))
    } catch (error) {
      if (error instanceof PaypalRefusal && error.status === 403) return {}
      throw error
    }
  }

  /** Only the single dispute says which capture it is about; the list does not. */
  async #readDispute(id: string): Promise<ListedDispute> {
    const path = `${DISPUTES_PATH}/${encodeURIComponent(id)}`
    const read = Disputed.parse(await this.#http.send({ method: 'GET', path }))
    const dispute = disputeIn(read)
    if (dispute === null) throw new Error('a dispute without an id')
    return { ...dispute, gwPayment: disputedCapture(read) ?? id }
  }

  readEvent(body: string, headers: Headers): Promise<GatewayEvent> {
    return this.#guard(async () => {
      // The verification request embeds the body, so it must be JSON.
      const sent = jsonOf(body)
      const { webhookId, environment } = await this.#http.access()
      const signed: [string, string][] = SIGNATURE_HEADERS.map(([field, header]) => [
        field,
        headers.get(header) ?? '',
      ])
      assertPlausible(Object.fromEntries(signed))
      const facts = JSON.stringify({ ...Object.fromEntries(signed), webhook_id: webhookId })
      // Embeds the original bytes: re-serializing would change the signed checksum.
      const question = `${facts.slice(0, -1)},"webhook_event":${body}}`
      const path = '/v1/notifications/verify-webhook-signature'
      const answer = await this.#verify({ method: 'POST', path, body: question })
      if (Verdict.parse(answer).verification_status !== 'SUCCESS') {
        throw new BadSignatureError('The signature of a PayPal event is wrong.')
      }
      const event = Event.safeParse(sent)
      if (!event.success) {
        throw new UnreadableEventError('Signed by PayPal, but not an event.', {
          cause: event.error,
        })
      }
      const { id, event_type: type, resource } = event.data
      const related = resource?.supplementary_data?.related_ids
      return {
        id,
        type,
        object:
          related?.order_id ??
          related?.capture_id ??
          refundedCapture(event.data) ??
          disputedCapture(resource) ??
          resource?.id ??
          null,
        isLive: environment === 'production',
      }
    })
  }

  readFacts(body: string): EventFacts {
    const { success, data: event } = Event.safeParse(JSON.parse(body))
    if (!success) return { gwPayment: null, dispute: null }
    const isCapture = CAPTURE_EVENTS.test(event.event_type)
    return {
      gwPayment: isCapture ? (event.resource?.id ?? null) : disputedCapture(event.resource),
      dispute: disputeIn(event.resource),
    }
  }

  async #verify(call: { method: 'POST'; path: string; body: string }): Promise<unknown> {
    try {
      return await this.#http.send(call)
    } catch (error) {
      // PayPal could not parse what it was asked to verify.
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
      throw isGatewayFailure(error) ? error : new UpstreamError('PayPal', error)
    }
  }

  /** Runs a call that PayPal may reject permanently, as `GatewayRefusal`. */
  #ask<T>(work: () => Promise<T>): Promise<T> {
    return this.#guard(async () => {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof PaypalRefusal) || RETRYABLE_STATUSES.has(error.status)) throw error
        throw new GatewayRefusal(error.issue, { cause: error })
      }
    })
  }
}

/** Hosts of PayPal's signing certificates. */
const CERTIFICATE_HOSTS = /^api(?:-m)?(?:\.sandbox)?\.paypal\.com$/

/** Rejects an event without the headers every PayPal event has, since each verification costs a request. */
function assertPlausible(signed: Record<string, string>): void {
  const { auth_algo, cert_url = '', transmission_id, transmission_sig, transmission_time } = signed
  const url = urlOf(cert_url, 'https:')
  const isPlausible =
    auth_algo === 'SHA256withRSA' &&
    url !== null &&
    CERTIFICATE_HOSTS.test(url.host) &&
    url.username === '' &&
    /^[\w-]{8,64}$/.test(transmission_id ?? '') &&
    /^[A-Za-z0-9+/]{100,1024}={0,2}$/.test(transmission_sig ?? '') &&
    /^\d{4}-\d{2}-\d{2}T[\d:.]{8,20}Z$/.test(transmission_time ?? '')
  if (!isPlausible) throw new BadSignatureError('A PayPal event without a signature of PayPal.')
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new BadSignatureError('A PayPal event that cannot be read.', { cause: error })
  }
}

/** The wallet gateway over PayPal's REST API, or over the sandbox that emulates it. */
export function makePaypal(options: PaypalOptions): WalletGateway {
  return new PaypalGateway(options)
}
