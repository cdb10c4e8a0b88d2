import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { RegistrationStatus } from '#contract/verification.ts'
import { UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'
import { callHttp } from '#server/kernel/wire/call-http.ts'

/** Documented messages for a rejection without text, and for a success of an unexpected shape. */
const UNKNOWN_ERROR = 'Unknown error occurred'
const UNEXPECTED_FORMAT = 'Unexpected response format'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 1_024 * 1_024

/** A register's entry for a number. */
type RegisterEntry = { name: string; registration_number: string; status_text: string }

/** Longer values are rejected and never stored. */
const Line = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))
const PlainNumber = z.union([z.string(), z.int()])

/** Documented response of the GMC and GDC look-ups, plus the status; `null` if not found. */
const PlainEntry = z.object({
  Name: Line,
  registration_number: PlainNumber,
  standing: Line,
})

/** The fields that are read of an NPPES response, version 2.1. */
const Nppes = z.object({
  result_count: z.int(),
  results: z.array(
    z.object({
      number: PlainNumber,
      basic: z.object({
        first_name: z.optional(z.string()),
        last_name: z.optional(z.string()),
        organization_name: z.optional(z.string()),
        status: Line,
      }),
    }),
  ),
})

function fromPlain(json: unknown): RegisterEntry | null {
  if (json === null) return null
  const { Name: name, registration_number: number, standing } = PlainEntry.parse(json)
  return { name, registration_number: String(number).trim(), status_text: standing }
}

function fromNppes(json: unknown): RegisterEntry | null {
  const { results } = Nppes.parse(json)
  if (results.length > 1) throw new Error('one number, several entries')
  const [found] = results
  if (found === undefined) return null
  const { first_name: first = '', last_name: last = '', organization_name, status } = found.basic
  return {
    name: Line.parse(organization_name ?? `${first} ${last}`),
    registration_number: String(found.number).trim(),
    status_text: status,
  }
}

/** URL of a look-up: `{number}` is replaced if present, otherwise the number is added to the query. */
function addressOf(url: string, body: ProfessionalBody, number: string): URL {
  const filled = new URL(url.replaceAll(/\{number\}|%7Bnumber%7D/gi, encodeURIComponent(number)))
  if (/\{number\}|%7Bnumber%7D/i.test(url)) return filled
  filled.searchParams.set('number', number)
  if (body === 'NPI' && !filled.searchParams.has('version')) {
    filled.searchParams.set('version', '2.1')
  }
  return filled
}

const MAX_MESSAGE_LENGTH = 200

/** External text as one line, without control, bidi or invisible characters. */
function toOneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return plain.length > MAX_MESSAGE_LENGTH ? `${plain.slice(0, MAX_MESSAGE_LENGTH)}…` : plain
}

const Refusal = z.object({ error: z.string().check(z.trim(), z.minLength(1)) })

/** The `error` field of a JSON rejection, otherwise its text, otherwise the documented message. */
function parseRefusal(text: string): UpstreamWords {
  let words = text
  try {
    const refusal = Refusal.safeParse(JSON.parse(text))
    if (refusal.success) words = refusal.data.error
  } catch {
    // Not JSON: the text itself is the message.
  }
  return new UpstreamWords(toOneLine(words) || UNKNOWN_ERROR)
}

function parseAnswer(text: string, body: ProfessionalBody): RegisterEntry | null {
  try {
    const json: unknown = JSON.parse(text)
    return body === 'NPI' ? fromNppes(json) : fromPlain(json)
  } catch (error) {
    throw new UpstreamWords(UNEXPECTED_FORMAT, { cause: error })
  }
}

/**
 * Queries a register over HTTP: its own host only, no redirects, at most five seconds and 1 MB; the response
 * must have the documented shape. Null if the number is not registered. Throws `UpstreamError` for everything
 * else.
 */
async function askRegister(
  url: string,
  body: ProfessionalBody,
  number: string,
): Promise<RegisterEntry | null> {
  try {
    const answer = await callHttp(addressOf(url, body, number), {
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    const { status } = answer
    if (status >= 300 && status < 400) throw new Error('it redirects')
    const text = answer.body.toString('utf8')
    // Including 404: a misconfigured URL must not read as "not registered".
    if (status >= 400) throw parseRefusal(text)
    if (status !== 200) throw new UpstreamWords(UNEXPECTED_FORMAT)
    return parseAnswer(text, body)
  } catch (error) {
    throw new UpstreamError(`The ${body} register`, error)
  }
}

/** Consecutive failures after which a register is not queried for a while. */
const FAILURES = 5
const OPEN_MS = 60_000

export type RegisterAnswer = RegisterEntry & {
  standing: RegistrationStatus
  /** Origin of the entry: a list and its date, or a host. */
  source: string
}

type LookUpOptions = {
  /** Bypasses the cache, which lasts a day. */
  isFresh?: boolean
}

/** The professional registers, by table or over HTTP. Web pages are never scraped. */
export type Registers = {
  /** Null if the number is not registered. Throws `UpstreamError` if the register is unavailable. */
  lookUp(
    body: ProfessionalBody,
    number: string,
    options?: LookUpOptions,
  ): Promise<RegisterAnswer | null>
  /** Look-ups per minute allowed to a job; null (no limit) for the embedded table. */
  paceOf(body: ProfessionalBody): number | null
}

/**
 * Looks a number up in the embedded table; throws `UpstreamError` if no list was imported for the register.
 */
export type FindEntry = (
  body: ProfessionalBody,
  number: string,
) => Promise<(RegisterEntry & { source: string }) | null>

const CACHE_MS = 24 * 3_600_000
const CACHE_SIZE = 10_000

/** Leaves a third of the shared rate limit to interactive look-ups. */
const JOB_LOOKUPS_PER_MINUTE = 20

/** In an object, because a cache takes no null. */
type Known = { answer: (RegisterEntry & { source: string }) | null }

/** A register over HTTP: responses are cached for a day, and a circuit breaker skips it while it is down. */
class Upstream {
  readonly #url: string
  readonly #body: ProfessionalBody
  readonly #known: LRUCache<string, Known>
  readonly #breaker = circuitBreaker(handleAll, {
    halfOpenAfter: OPEN_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  })

  constructor(url: string, body: ProfessionalBody, now: () => number) {
    this.#url = url
    this.#body = body
    this.#known = new LRUCache({ max: CACHE_SIZE, ttl: CACHE_MS, ttlResolution: 0, perf: { now } })
  }

  async find(number: string, isFresh: boolean): Promise<Known['answer']> {
    const known = this.#known.get(number)
    if (!isFresh && known !== undefined) return known.answer
    const entry = await this.#ask(number)
    const answer = entry === null ? null : { ...entry, source: new URL(this.#url).host }
    this.#known.set(number, { answer })
    return answer
  }

  async #ask(number: string): Promise<RegisterEntry | null> {
    try {
      return await this.#breaker.execute(() => askRegister(this.#url, this.#body, number))
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new UpstreamError(`The ${this.#body} register`, new Error('it has been failing'))
    }
  }
}

type Needs = {
  /** By register: the URL of its look-up service, or null for the embedded table. */
  urls: Readonly<Record<ProfessionalBody, string | null>>
  /** The embedded table. */
  table: FindEntry
  /** Epoch milliseconds. */
  now: () => number
}

/** The registers of an installation: over HTTP where a URL is configured, else the embedded table. */
export function makeRegisters({ urls, table, now }: Needs): Registers {
  const upstreams = new Map<ProfessionalBody, Upstream>()
  for (const body of ['GMC', 'GDC', 'NPI'] as const) {
    const url = urls[body]
    if (url !== null) upstreams.set(body, new Upstream(url, body, now))
  }
  return {
    async lookUp(body, number, { isFresh = false } = {}) {
      const upstream = upstreams.get(body)
      const entry = await (upstream?.find(number, isFresh) ?? table(body, number))
      if (entry === null) return null
      return { ...entry, standing: registrationStatusOf(body, entry.status_text) }
    },
    paceOf: (body) => (upstreams.has(body) ? JOB_LOOKUPS_PER_MINUTE : null),
  }
}

/** The exact statuses that mean licensed to practise. Anything else needs review. */
const GOOD_STATUSES: Record<ProfessionalBody, ReadonlySet<string>> = {
  GMC: new Set([
    'registered with licence',
    'registered with a licence',
    'registered with licence to practise',
    'registered with a licence to practise',
  ]),
  GDC: new Set(['registered']),
  NPI: new Set(['a', 'active']),
}

/** Most serious first: a status that matches two counts as the more serious one. */
const STATUS_PATTERNS: readonly [RegExp, RegistrationStatus][] = [
  [/\b(?:erased|erasure|struck|removed)\b/, 'struck_off'],
  [/\bsuspen/, 'suspended'],
  [/\bdeactivated\b|^d$/, 'deactivated'],
  [/\bnot registered\b|\brelinquished\b|\bdeceased\b|\blapsed\b|\bretired\b/, 'not_registered'],
  [/\bcondition|\bundertaking/, 'conditions'],
  [/\bprovisional/, 'provisional'],
  [/\bwithout (?:a )?licen[cs]e\b/, 'no_licence'],
]

/** Maps a register's status text to a registration status; unrecognized text is `unknown`. */
export function registrationStatusOf(
  body: ProfessionalBody,
  statusText: string,
): RegistrationStatus {
  const words = statusText.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  if (GOOD_STATUSES[body].has(words)) return 'good'
  return STATUS_PATTERNS.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown'
}
