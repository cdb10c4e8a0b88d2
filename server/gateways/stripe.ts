import type { Stripe } from 'stripe'
import type { StripeAccess } from '#server/kernel/config/config-payments.ts'
import { GatewayRefusal, UpstreamError } from '#server/kernel/errors.ts'
import { cappedFetch } from '#server/kernel/wire/call-http.ts'
import {
  BadSignatureError,
  type CardGateway,
  type EventFacts,
  type GatewayEvent,
  type GatewayIds,
  type GatewayRefund,
  type GatewayState,
  type GatewayTransactions,
  isGatewayFailure,
  type ListedDispute,
  type PaymentOrder,
  type RefundOrder,
  type RefundState,
  refundKey,
  UnreadableEventError,
} from './payment-gateways.ts'
import {
  chargeOf,
  Disputed,
  disputeIn,
  disputeOf,
  Event,
  gatewayRefundOf,
  gatewayStateOf,
  objectOf,
  refundStateOf,
  sessionParams,
} from './stripe-objects.ts'

const SERVICE = 'Stripe'
/** Most bytes of a response; a page of a hundred charges has a tenth of this. */
const MAX_BYTES = 4_000_000
/** A webhook older than this is a replay. */
const TOLERANCE_SECONDS = 300

type Options = {
  /** Called before every request: the sandbox's port may change when it restarts. */
  access: () => Promise<StripeAccess>
  /** Epoch milliseconds. */
  now: () => number
}

/** Loaded with the first call, because starting does not need it. */
const load = async () => (await import('stripe')).Stripe
type Package = Awaited<ReturnType<typeof load>>
type Signed = { body: string; header: string }
type StripeKit = { stripe: Stripe; access: StripeAccess; errors: Package['errors'] }

function makeClient(Stripe: Package, { base, secretKey }: StripeAccess): Stripe {
  const httpClient = Stripe.createFetchHttpClient(cappedFetch(MAX_BYTES))
  const common = { telemetry: false, maxNetworkRetries: 2, timeout: 10_000, httpClient }
  if (base === null) return new Stripe(secretKey, common)
  const { hostname, port, protocol } = new URL(base)
  return protocol === 'http:'
    ? new Stripe(secretKey, { ...common, host: hostname, port: port || '80', protocol: 'http' })
    : new Stripe(secretKey, { ...common, host: hostname, port: port || '443', protocol: 'https' })
}

const RETRYABLE_STATUSES: ReadonlySet<number | undefined> = new Set([409, 429])

/**
 * The permanent rejection in an SDK error; null if retrying may help. A 500 after Stripe has begun processing
 * is replayed under the same idempotency key for a day.
 */
function refusalIn(errors: Package['errors'], error: unknown): GatewayRefusal | null {
  if (!(error instanceof errors.StripeError)) return null
  if (error instanceof errors.StripeAPIError) {
    const isKept = error.headers?.['idempotent-replayed'] === 'true'
    return isKept ? new GatewayRefusal('kept_error', { cause: error, isKept }) : null
  }
  const isFinal =
    error instanceof errors.StripeInvalidRequestError ||
    error instanceof errors.StripeIdempotencyError
  if (!isFinal || RETRYABLE_STATUSES.has(error.statusCode)) return null
  return new GatewayRefusal(error.code ?? error.message, { cause: error })
}

async function readSession(stripe: Stripe, session: string): Promise<GatewayState> {
  const expand = ['payment_intent.latest_charge']
  return gatewayStateOf(await stripe.checkout.sessions.retrieve(session, { expand }))
}

class StripeGateway implements CardGateway {
  readonly #options: Options
  readonly #clients = new Map<string, Stripe>()

  constructor(options: Options) {
    this.#options = options
  }

  async #call<T>(work: (kit: StripeKit) => Promise<T>): Promise<T> {
    try {
      const access = await this.#options.access()
      const made = await load()
      return await work({ stripe: this.#client(made, access), access, errors: made.errors })
    } catch (error) {
      if (isGatewayFailure(error)) throw error
      throw new UpstreamError(SERVICE, error)
    }
  }

  /** Runs a call that the gateway may reject permanently. */
  #ask<T>(work: (kit: StripeKit) => Promise<T>): Promise<T> {
    return this.#call(async (kit) => {
      try {
        return await work(kit)
      } catch (error) {
        throw refusalIn(kit.errors, error) ?? error
      }
    })
  }

  #client(made: Package, access: StripeAccess): Stripe {
    const key = `${access.base} ${access.secretKey}`
    const stripe = this.#clients.get(key) ?? makeClient(made, access)
    this.#clients.set(key, stripe)
    return stripe
  }

  open(order: PaymentOrder): Promise<{ session: string; clientSecret: string }> {
    return this.#ask(async ({ stripe }) => {
      const session = await stripe.checkout.sessions.create(sessionParams(order), {
        idempotencyKey: `pay:${order.paymentId}:create`,
      })
      if (session.client_secret === null) throw new Error('a session without a client secret')
      return { session: session.id, clientSecret: session.client_secret }
    })
  }

  read({ session }: GatewayIds): Promise<GatewayState> {
    return this.#call(({ stripe }) => readSession(stripe, session))
  }

  close(session: string): Promise<GatewayState> {
    return this.#call(async ({ stripe, errors }) => {
      try {
        return gatewayStateOf(await stripe.checkout.sessions.expire(session))
      } catch (error) {
        if (!(error instanceof errors.StripeInvalidRequestError)) throw error
        // No longer open: paid or expired, whichever came first.
        const truth = await readSession(stripe, session)
        if (truth.state === 'open') throw error
        return truth
      }
    })
  }

  refund(order: RefundOrder): Promise<RefundState> {
    return this.#ask(async ({ stripe }) =>
      refundStateOf(
        await stripe.refunds.create(
          {
            payment_intent: order.gwPayment,
            amount: order.amountMinor,
            reason: 'requested_by_customer',
            metadata: { payment_id: order.paymentId, refund_key: order.key },
          },
          { idempotencyKey: refundKey(order) },
        ),
      ),
    )
  }

  listReturned({ gwPayment }: GatewayIds): Promise<GatewayRefund[]> {
    if (gwPayment === null) return Promise.resolve([])
    return this.#call(async ({ stripe }) => {
      const returned: GatewayRefund[] = []
      for await (const refund of stripe.refunds.list({ payment_intent: gwPayment, limit: 100 })) {
        returned.push(gatewayRefundOf(refund))
      }
      return returned
    })
  }

  readRefund(id: string): Promise<RefundState> {
    return this.#call(async ({ stripe }) => refundStateOf(await stripe.refunds.retrieve(id)))
  }

  readEvent(body: string, headers: Headers): Promise<GatewayEvent> {
    return this.#call(async ({ stripe, access, errors }) => {
      const sent = { body, header: headers.get('stripe-signature') ?? '' }
      const event = Event.safeParse(await this.#verified({ stripe, access, errors }, sent))
      if (!event.success) {
        throw new UnreadableEventError('A Stripe event of an unexpected form.', {
          cause: event.error,
        })
      }
      const { id, type, livemode } = event.data
      if (livemode !== access.isLive) throw new BadSignatureError('an event of another mode')
      return { id, type, object: objectOf(event.data), isLive: livemode }
    })
  }

  readFacts(body: string): EventFacts {
    // The session is read by its own id, which includes the charge.
    return { gwPayment: null, dispute: disputeIn(JSON.parse(body)) }
  }

  /** Tries every secret: during rotation, events signed with the old one still arrive. */
  async #verified(
    { stripe, access, errors }: StripeKit,
    { body, header }: Signed,
  ): Promise<unknown> {
    let refusal: unknown = null
    const { now } = this.#options
    for (const secret of access.webhookSecrets) {
      try {
        const { webhooks } = stripe
        return webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, now())
      } catch (error) {
        // The signature is checked first: any other error means that it was valid.
        if (!(error instanceof errors.StripeSignatureVerificationError)) {
          throw new UnreadableEventError('Signed by Stripe, but not an event.', { cause: error })
        }
        refusal = error
      }
    }
    throw new BadSignatureError('The signature of a Stripe event is wrong.', { cause: refusal })
  }

  listDisputes(epochMs: number): Promise<ListedDispute[]> {
    return this.#call(async ({ stripe }) => {
      const page = { created: { gte: Math.floor(epochMs / 1_000) }, limit: 100 }
      const disputes: ListedDispute[] = []
      for await (const dispute of stripe.disputes.list(page)) {
        disputes.push(disputeOf(Disputed.parse(dispute)))
      }
      return disputes
    })
  }

  listSince(epochMs: number): Promise<GatewayTransactions> {
    return this.#call(async ({ stripe }) => {
      const page = { created: { gte: Math.floor(epochMs / 1_000) }, limit: 100 }
      const moved: GatewayTransactions = { taken: [], returned: [] }
      // Charges rather than sessions: somebody may take money in the dashboard, without a session.
      for await (const charge of stripe.charges.list(page)) {
        if (charge.status === 'succeeded' && charge.captured) moved.taken.push(chargeOf(charge))
      }
      for await (const refund of stripe.refunds.list(page))
        moved.returned.push(gatewayRefundOf(refund))
      return moved
    })
  }
}

/** The card gateway through Stripe's SDK, against Stripe or the sandbox that emulates it. */
export function makeStripe(options: Options): CardGateway {
  return new StripeGateway(options)
}
