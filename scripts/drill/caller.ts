import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { percentile } from '#bench/bar.ts'

/** A visit that a client was told is booked. */
export type ReportedVisit = { visitId: string; providerId: string; startsAt: string }

/** A fault with a duration, in milliseconds of `performance.now()`. */
export type Span = {
  what: string
  from: number
  to: number
  /** The longest that a request waited for a lock meanwhile, in milliseconds. */
  lockMs?: number
}

type Answer = { from: number; to: number }

/** What clients met: responses by kind and outcome, retries, and problems. */
export class Tally {
  readonly #answers = new Map<string, Map<string, number>>()
  readonly #times = new Map<string, Answer[]>()
  readonly retries = new Map<string, number>()
  /** 5xx that are not a 503 with Retry-After. */
  readonly failures: string[] = []
  /** Calls that got no response however often they were repeated. */
  readonly unanswered: string[] = []
  readonly visits: ReportedVisit[] = []
  /** Ids of the holds that patients were told of. */
  readonly holds: string[] = []
  /** Sessions and orders that patients were asked to pay. */
  readonly payments: string[] = []
  /** The faults of the installation, and when they happened. */
  readonly faults: string[] = []
  /** Faults with a duration, which are examined one by one. */
  readonly spans: Span[] = []

  /** Counts a response that a client can act on, received now, `ms` after its first try. */
  answered(kind: string, outcome: string, ms: number): void {
    const outcomes = this.#answers.get(kind) ?? new Map<string, number>()
    this.#answers.set(kind, outcomes)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const times = this.#times.get(kind) ?? []
    this.#times.set(kind, times)
    const to = performance.now()
    times.push({ from: to - ms, to })
  }

  retried(why: string): void {
    this.retries.set(why, (this.retries.get(why) ?? 0) + 1)
  }

  /** How often a kind of call had this outcome. */
  count(kind: string, outcome = 'ok'): number {
    return this.#answers.get(kind)?.get(outcome) ?? 0
  }

  /** The longest wait for a response, in milliseconds, among the calls that waited during a span. */
  longestDuring({ from, to }: Span): number {
    const meanwhile = [...this.#times.values()]
      .flat()
      .filter((answer) => answer.from < to && answer.to > from)
    return Math.max(0, ...meanwhile.map((answer) => Math.round(answer.to - answer.from)))
  }

  /** A line for each span. */
  spanLines(): string[] {
    return this.spans.map((span) => {
      const { what, from, to, lockMs } = span
      const lock = lockMs === undefined ? '' : `, ${lockMs} ms for a lock`
      const longest = `${this.longestDuring(span)} ms for an answer`
      return `${what}: ${Math.round(to - from)} ms; meanwhile somebody waited ${longest}${lock}`
    })
  }

  /** A line for each kind of call. */
  lines(): string[] {
    return [...this.#answers].map(([kind, outcomes]) => {
      const answers = this.#times.get(kind) ?? []
      const times = answers.map(({ from, to }) => to - from).toSorted((a, b) => a - b)
      const [middle, late] = [0.5, 0.99].map((part) => Math.round(percentile(times, part)))
      const counts = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
      const longest = Math.round(times.at(-1) ?? 0)
      return `${kind}: ${counts}; ${middle} ms in the middle, ${late} ms for 99 %, ${longest} ms at most`
    })
  }
}

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

type Attempt = { result: CallResult } | { again: string; waitMs: number }

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

/** Calls of clients that follow the documentation: they wait as long as the server asks, and retry. */
export class Caller {
  readonly #addresses: readonly string[]
  readonly #tally: Tally
  #turn = 0

  constructor(addresses: readonly string[], tally: Tally) {
    this.#addresses = addresses
    this.#tally = tally
  }

  /** The processes take turns, as behind a load balancer; one that does not respond is skipped. */
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
    const result = parseResult(response.ok, text)
    const isLater = !result.ok && (result.code === 'key_running' || result.code === 'rate_limited')
    if (isLater) return { again: result.code, waitMs: Math.max(1, seconds) * 1_000 }
    return { result }
  }

  /** The response, after as many tries as it takes. Throws `Unanswered` after two and a half minutes. */
  async call(call: Call): Promise<CallResult> {
    const start = performance.now()
    for (;;) {
      const tried = await this.#try(call)
      const ms = performance.now() - start
      if ('result' in tried) {
        const { result } = tried
        this.#tally.answered(call.kind, result.ok ? 'ok' : result.code, ms)
        return result
      }
      this.#tally.retried(tried.again)
      if (ms > TIMEOUT_MS) {
        this.#tally.unanswered.push(`${call.kind}, the last time: ${tried.again}`)
        throw new Unanswered()
      }
      await sleep(tried.waitMs)
    }
  }

  /** The data of a call that must not be refused. */
  async data(call: Call): Promise<unknown> {
    const result = await this.call(call)
    if (!result.ok) throw new Error(`${call.kind}: ${result.code}`)
    return result.data
  }
}
