import { DelegateBackoff, handleWhen, retry } from 'cockatiel'
import * as z from 'zod/mini'
import type { PaypalAccess } from '#server/kernel/config/config-payments.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { chance as anyChance } from '#server/kernel/ids.ts'
import { callHttp, type HttpCall, type HttpResponse } from '#server/kernel/wire/call-http.ts'

const SERVICE = 'PayPal'
/** Timeout of one request; also no retry starts later than this after the first try. */
const TIMEOUT_MS = 10_000
/** A token that expires sooner than this is renewed first. */
const TOKEN_MARGIN_MS = 60_000
const MAX_RETRIES = 2
/** PayPal's longest responses are pages of transactions. */
const MAX_BYTES = 8 * 1_024 * 1_024

const Token = z.object({ access_token: z.string(), expires_in: z.number() })
const Refusal = z.object({
  name: z.optional(z.string()),
  details: z.optional(z.array(z.object({ issue: z.optional(z.string()) }))),
})

/** PayPal rejected the request; `issue` is its reason code, such as `INSTRUMENT_DECLINED`. */
export class PaypalRefusal extends Error {
  override readonly name = 'PaypalRefusal'
  readonly status: number
  readonly issue: string

  constructor(status: number, issue: string) {
    super(`PayPal answered ${status} ${issue}.`)
    this.status = status
    this.issue = issue
  }
}

/** No conclusive response from PayPal: down, rate-limited, or the token expired. */
class PaypalFailure extends Error {
  override readonly name = 'PaypalFailure'
  readonly retryAfterMs: number

  constructor(response: HttpResponse) {
    super(`PayPal answered ${response.status}.`)
    this.retryAfterMs = readRetryAfter(response.headers.get('retry-after'))
  }
}

export type PaypalCall = {
  method: 'GET' | 'POST'
  /** From `/v1` or `/v2` on. */
  path: string
  /** JSON text, sent as it is. */
  body?: string
  /** `PayPal-Request-Id`, the idempotency key. */
  requestId?: string
}

export type PaypalOptions = {
  /** Called before every request: the sandbox's port may change when it restarts. */
  access: () => Promise<PaypalAccess>
  /** Epoch milliseconds. */
  now: () => number
  /** A number from 0 up to 1, for retry jitter. */
  chance?: () => number
  timeoutMs?: number
}

/**
 * Client of PayPal's REST API: access token, idempotency keys, retries, and rejections told from failures.
 */
export class PaypalHttp {
  readonly #options: Required<PaypalOptions>
  readonly #retries = retry(handleWhen(mayPass), {
    maxAttempts: MAX_RETRIES,
    // Exponential with full jitter, and never sooner than PayPal asked for.
    backoff: new DelegateBackoff(({ attempt, result }) => {
      const retryAfterMs = 'error' in result ? retryAfterOf(result.error) : 0
      const most = INITIAL_BACKOFF_MS * 2 ** (attempt - 1)
      return retryAfterMs + Math.floor(this.#options.chance() * most)
    }),
  })
  #token: { for: string; value: string; goodUntil: number } | null = null

  constructor(options: PaypalOptions) {
    this.#options = { chance: anyChance, timeoutMs: TIMEOUT_MS, ...options }
  }

  /**
   * The response as JSON. Throws `PaypalRefusal` if PayPal rejects it, `UpstreamError` if there is no
   * response.
   */
  async send(call: PaypalCall): Promise<unknown> {
    try {
      return await this.#repeat(call)
    } catch (error) {
      if (error instanceof PaypalRefusal || error instanceof UpstreamError) throw error
      throw new UpstreamError(SERVICE, error)
    }
  }

  access(): Promise<PaypalAccess> {
    return this.#options.access()
  }

  #repeat(call: PaypalCall): Promise<unknown> {
    if (!mayRetry(call)) return this.#once(call)
    const timeIsUp = AbortSignal.timeout(this.#options.timeoutMs)
    return this.#retries.execute(() => this.#once(call), timeIsUp)
  }

  /** The response as JSON. Throws `PaypalRefusal` if PayPal rejects it; any other error may be retried. */
  async #once({ method, path, body, requestId }: PaypalCall): Promise<unknown> {
    const access = await this.#options.access()
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${await this.#bearer(access)}`,
      prefer: 'return=representation',
    }
    if (method === 'POST') headers['content-type'] = 'application/json'
    if (requestId !== undefined) headers['paypal-request-id'] = requestId
    const call: HttpCall = { method, headers, ...this.#limits() }
    if (body !== undefined) call.body = body
    const response = await callHttp(`${access.base}${path}`, call)
    if (response.status === 401) this.#token = null
    else if (isFinal(response.status)) return readAnswer(response)
    throw new PaypalFailure(response)
  }

  #limits() {
    return { timeoutMs: this.#options.timeoutMs, maxBytes: MAX_BYTES }
  }

  async #bearer(access: PaypalAccess): Promise<string> {
    const owner = `${access.base} ${access.clientId}`
    const known = this.#token
    if (known !== null && known.for === owner && this.#options.now() < known.goodUntil) {
      return known.value
    }
    const pair = Buffer.from(`${access.clientId}:${access.clientSecret}`).toString('base64')
    const response = await callHttp(`${access.base}/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${pair}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
      ...this.#limits(),
    })
    if (!isGood(response.status)) throw new PaypalFailure(response)
    const token = Token.parse(jsonOf(response))
    this.#token = {
      for: owner,
      value: token.access_token,
      // Their seconds, our milliseconds.
      goodUntil: this.#options.now() + token.expires_in * 1_000 - TOKEN_MARGIN_MS,
    }
    return token.access_token
  }
}

/** Reads, and writes with an idempotency key, are safe to retry even if the outcome is unknown. */
function mayRetry({ method, requestId }: PaypalCall): boolean {
  return method === 'GET' || requestId !== undefined
}

/** Whether retrying cannot change the response. PayPal never redirects, so a redirect is not conclusive. */
function isFinal(status: number): boolean {
  return isGood(status) || (status >= 400 && status < 500 && status !== 429 && status !== 409)
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

function jsonOf({ body }: HttpResponse): unknown {
  return body.byteLength === 0 ? {} : JSON.parse(body.toString('utf8'))
}

function readAnswer(response: HttpResponse): unknown {
  const json = jsonOf(response)
  if (isGood(response.status)) return json
  const refusal = Refusal.safeParse(json)
  const { name, details } = refusal.success ? refusal.data : {}
  throw new PaypalRefusal(response.status, details?.[0]?.issue ?? name ?? 'UNKNOWN')
}

const INITIAL_BACKOFF_MS = 500
/** A longer `Retry-After` is for the caller, who tries again later. */
const MAX_RETRY_AFTER_MS = 5_000

function retryAfterOf(error: unknown): number {
  return error instanceof PaypalFailure ? error.retryAfterMs : 0
}

/** Whether an error may be gone at the next try. */
function mayPass(error: unknown): boolean {
  return !(error instanceof PaypalRefusal) && retryAfterOf(error) <= MAX_RETRY_AFTER_MS
}

/** Milliseconds of a `Retry-After` header; 0 if absent or in its rare date form. */
function readRetryAfter(header: string | null): number {
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1_000 : 0
}
