import * as z from 'zod/mini'
import { callHttp, type HttpAnswer, type HttpCall } from '#server/kernel/call-http.ts'
import type { PaypalAccess } from '#server/kernel/config-payments.ts'
import { UpstreamError } from '#server/kernel/errors.ts'

const SERVICE = 'PayPal'
const TIMEOUT_MS = 10_000
/** A token this near to its end is not worth starting with. */
const TOKEN_MARGIN_MS = 60_000
const TRIES = 3
/** Their longest answers are lists of transactions, a page at a time. */
const LIMITS = { timeoutMs: TIMEOUT_MS, mostBytes: 8 * 1_024 * 1_024 }

const Token = z.object({ access_token: z.string(), expires_in: z.number() })
const Refusal = z.object({
  name: z.optional(z.string()),
  details: z.optional(z.array(z.object({ issue: z.optional(z.string()) }))),
})

/** PayPal understood and said no; `issue` is its word for why, such as `INSTRUMENT_DECLINED`. */
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

export type PaypalCall = {
  method: 'GET' | 'POST'
  /** From `/v1` or `/v2` on. */
  path: string
  /** JSON text, sent as it is. */
  body?: string
  /** PayPal-Request-Id: the same one is never acted on twice. */
  requestId?: string
}

type Options = { access: () => Promise<PaypalAccess>; now: () => number }

/** Calls of PayPal's REST interface: token, request ids, repeats, and refusals told from failures. */
export class PaypalHttp {
  readonly #options: Options
  #token: { for: string; value: string; goodUntil: number } | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** The answer as JSON. Throws `PaypalRefusal` for a no, `UpstreamError` when there is no answer. */
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

  /** Reading, and acting under a request id, may be repeated when nobody knows what became of it. */
  async #repeat(call: PaypalCall): Promise<unknown> {
    let failure: unknown = null
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      try {
        const response = await this.#once(call)
        if (response.status === 401) this.#token = null
        else if (isSettled(response.status)) return readAnswer(response)
        failure = new Error(`PayPal answered ${response.status}.`)
      } catch (error) {
        if (error instanceof PaypalRefusal) throw error
        failure = error
      }
      if (call.method === 'POST' && call.requestId === undefined) break
    }
    throw failure
  }

  async #once({ method, path, body, requestId }: PaypalCall): Promise<HttpAnswer> {
    const access = await this.#options.access()
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${await this.#bearer(access)}`,
      prefer: 'return=representation',
    }
    if (method === 'POST') headers['content-type'] = 'application/json'
    if (requestId !== undefined) headers['paypal-request-id'] = requestId
    const call: HttpCall = { method, headers, ...LIMITS }
    if (body !== undefined) call.body = body
    return callHttp(`${access.base}${path}`, call)
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
      ...LIMITS,
    })
    if (!isGood(response.status)) throw new Error(`PayPal gave no token: ${response.status}.`)
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

/** What more tries would not change. A redirect is none of theirs, so it is no answer either. */
function isSettled(status: number): boolean {
  return isGood(status) || (status >= 400 && status < 500 && status !== 429 && status !== 409)
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

function jsonOf({ body }: HttpAnswer): unknown {
  return body.byteLength === 0 ? {} : JSON.parse(body.toString('utf8'))
}

function readAnswer(response: HttpAnswer): unknown {
  const json = jsonOf(response)
  if (isGood(response.status)) return json
  const refusal = Refusal.safeParse(json)
  const { name, details } = refusal.success ? refusal.data : {}
  throw new PaypalRefusal(response.status, details?.[0]?.issue ?? name ?? 'UNKNOWN')
}
