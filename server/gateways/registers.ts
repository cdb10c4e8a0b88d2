import type { ProfessionalBody } from '#contract/people.ts'
import type { Standing } from '#contract/verification.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { askRegister, type RegisterEntry } from './register-http.ts'

/** Consecutive failures after which a register is not queried for a while. */
const FAILURES = 5
const OPEN_MS = 60_000

/** Spares a service that is down, and callers who would wait for it. */
class CircuitBreaker {
  readonly #now: () => number
  #failures = 0
  #openUntil = Number.NEGATIVE_INFINITY

  /** `now` is epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether a request is allowed; after the pause, one caller probes for all. */
  admits(): boolean {
    if (this.#failures < FAILURES) return true
    if (this.#now() < this.#openUntil) return false
    this.#openUntil = this.#now() + OPEN_MS
    return true
  }

  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    this.#failures += 1
    if (this.#failures >= FAILURES) this.#openUntil = this.#now() + OPEN_MS
  }
}

export type RegisterAnswer = RegisterEntry & {
  standing: Standing
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
const JOB_PACE = 20

type Known = { answer: (RegisterEntry & { source: string }) | null; until: number }

/** A register over HTTP: responses are cached for a day, and a circuit breaker skips it while it is down. */
class Upstream {
  readonly #url: string
  readonly #body: ProfessionalBody
  readonly #now: () => number
  readonly #breaker: CircuitBreaker
  readonly #known = new Map<string, Known>()

  constructor(url: string, body: ProfessionalBody, now: () => number) {
    this.#url = url
    this.#body = body
    this.#now = now
    this.#breaker = new CircuitBreaker(now)
  }

  async find(number: string, isFresh: boolean): Promise<Known['answer']> {
    const known = this.#known.get(number)
    if (!isFresh && known !== undefined && this.#now() < known.until) return known.answer
    if (!this.#breaker.admits()) {
      throw new UpstreamError(`The ${this.#body} register`, new Error('it has been failing'))
    }
    try {
      const entry = await askRegister(this.#url, this.#body, number)
      this.#breaker.succeeded()
      const answer = entry === null ? null : { ...entry, source: new URL(this.#url).host }
      this.#keep(number, answer)
      return answer
    } catch (error) {
      this.#breaker.failed()
      throw error
    }
  }

  #keep(number: string, answer: Known['answer']): void {
    this.#known.delete(number)
    this.#known.set(number, { answer, until: this.#now() + CACHE_MS })
    const [oldest] = this.#known.keys()
    if (this.#known.size > CACHE_SIZE && oldest !== undefined) this.#known.delete(oldest)
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
      return { ...entry, standing: standingOf(body, entry.status_text) }
    },
    paceOf: (body) => (upstreams.has(body) ? JOB_PACE : null),
  }
}

/** The exact statuses that mean licensed to practise. Anything else needs review. */
const GOOD: Record<ProfessionalBody, ReadonlySet<string>> = {
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
const WORDS: readonly [RegExp, Standing][] = [
  [/\b(?:erased|erasure|struck|removed)\b/, 'struck_off'],
  [/\bsuspen/, 'suspended'],
  [/\bdeactivated\b|^d$/, 'deactivated'],
  [/\bnot registered\b|\brelinquished\b|\bdeceased\b|\blapsed\b|\bretired\b/, 'not_registered'],
  [/\bcondition|\bundertaking/, 'conditions'],
  [/\bprovisional/, 'provisional'],
  [/\bwithout (?:a )?licen[cs]e\b/, 'no_licence'],
]

/** Maps a register's status text to a standing; unrecognized text is `unknown`. */
export function standingOf(body: ProfessionalBody, statusText: string): Standing {
  const words = statusText.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  if (GOOD[body].has(words)) return 'good'
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown'
}
