import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Tally } from './tally.ts'

/** Longer than the lease of an idempotency key whose process was killed. */
const TIMEOUT_MS = 150_000
/** Longer than a request may wait for the database. */
const RESPONSE_TIMEOUT_MS = 45_000
/** Delay before another process is tried when one does not respond. */
const RETRY_MS = 250

export type Call = {
  /** What it is counted as. */
  kind: string
  path: string
  /** Body of a POST; a call without one is a GET. */
  body?: object
  network: string
  token?: string
  /** Idempotency key. */
  key?: string
}

/** What a client got in the end: data, or the code of a refusal. */
export type CallResult = { ok: true; data: unknown } | { ok: false; code: string }

/** A client gave up. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

type Attempt = { told: CallResult } | { again: string; waitMs: number }

const Body = z.object({
  result: z.optional(z.object({ data: z.unknown() })),
  error: z.optional(z.object({ data: z.object({ appCode: z.string() }) })),
})
const Refused = z.object({ code: z.string() })

/** The response of a tRPC call or of a documented path. */
function parseResult(ok: boolean, text: string): CallResult {
  const json: unknown = JSON.parse(text)
  const rpc = Body.safeParse(json)
  if (ok) return { ok, data: rpc.data?.result?.data ?? json }
  return { ok, code: rpc.data?.error?.data.appCode ?? Refused.parse(json).code }
}

/** Calls of clients that follow the documentation: they wait as told, and retry. */
export class Caller {
  readonly #addresses: readonly string[]
  readonly #tally: Tally
  #turn = 0

  constructor(addresses: readonly string[], tally: Tally) {
    this.#addresses = addresses
    this.#tally = tally
  }

  /** The processes take turns, as behind a proxy; one that does not respond is skipped. */
  #next(): string {
    this.#turn = (this.#turn + 1) % this.#addresses.length
    return this.#addresses[this.#turn] ?? ''
  }

  async #send({ path, body, network, token, key }: Call): Promise<Response> {
    const headers = new Headers({ 'x-forwarded-for': network })
    if (body !== undefined) headers.set('content-type', 'application/json')
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (key !== undefined) headers.set('idempotency-key', key)
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
    return fetch(`${this.#next()}${path}`, { ...post, headers, signal })
  }

  async #try(call: Call): Promise<Attempt> {
    const answer = await this.#send(call)
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(() => null)
    if (answer === null) return { again: 'no answer', waitMs: RETRY_MS }
    const { response, text } = answer
    const { status } = response
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    if (status >= 500 && (status !== 503 || seconds <= 0)) {
      this.#tally.failures.push(`${call.path.slice(0, 60)}: ${status} ${text.slice(0, 200)}`)
      return { again: `status ${status}`, waitMs: 1_000 }
    }
    if (status === 503) return { again: 'status 503 with Retry-After', waitMs: seconds * 1_000 }
    const told = parseResult(response.ok, text)
    const isLater = !told.ok && (told.code === 'key_running' || told.code === 'rate_limited')
    if (isLater) return { again: told.code, waitMs: Math.max(1, seconds) * 1_000 }
    return { told }
  }

  /** The response, after as many tries as it takes. Throws `Unanswered` after two and a half minutes. */
  async call(call: Call): Promise<CallResult> {
    const start = performance.now()
    for (;;) {
      const tried = await this.#try(call)
      const ms = performance.now() - start
      if ('told' in tried) {
        const { told } = tried
        this.#tally.answered(call.kind, told.ok ? 'ok' : told.code, ms)
        return told
      }
      this.#tally.retried(tried.again)
      if (ms > TIMEOUT_MS) {
        this.#tally.unanswered.push(`${call.kind}, the last time: ${tried.again}`)
        throw new Unanswered()
      }
      await sleep(tried.waitMs)
    }
  }
}
