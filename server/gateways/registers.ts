import type { ProfessionalBody } from '#contract/people.ts'
import type { Standing } from '#contract/verification.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { askRegister, type RegisterEntry } from './register-http.ts'

/** So many failures in a row, and nobody is asked for a while. */
const FAILURES = 5
const OPEN_MS = 60_000

/** Spares a service that is down, and those who would wait for it. */
class CircuitBreaker {
  readonly #now: () => number
  #failures = 0
  #openUntil = Number.NEGATIVE_INFINITY

  /** `now` is epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether the service may be asked; once the time is up, one caller tries for all. */
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
  /** Where the answer comes from: a list and its day, or a host. */
  source: string
}

type LookUpOptions = {
  /** Ask again even if the same was asked within a day. */
  isFresh?: boolean
}

/** The professional registers, whichever way each is reached. Nobody's pages are ever scraped. */
export type Registers = {
  /** Null: the register has no such number. Throws `UpstreamError` when nobody can say. */
  lookUp(
    body: ProfessionalBody,
    number: string,
    options?: LookUpOptions,
  ): Promise<RegisterAnswer | null>
  /** How many look-ups a minute a job may make; null for our own table. */
  paceOf(body: ProfessionalBody): number | null
}

/** What the embedded table says; throws `UpstreamError` when no list of that register was read in. */
export type FindEntry = (
  body: ProfessionalBody,
  number: string,
) => Promise<(RegisterEntry & { source: string }) | null>

const CACHE_MS = 24 * 3_600_000
const CACHE_SIZE = 10_000

/** Leaves a third of the common budget to people. */
const JOB_PACE = 20

type Known = { answer: (RegisterEntry & { source: string }) | null; until: number }

/** A register over HTTP: answers are kept for a day, and one that is down is left alone for a while. */
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
  /** By register: the URL of whoever keeps it, or null for the embedded table. */
  urls: Readonly<Record<ProfessionalBody, string | null>>
  /** The embedded table. */
  table: FindEntry
  /** Epoch milliseconds. */
  now: () => number
}

/** The registers of an installation: each by its URL where it has one, else the embedded table. */
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

/** The very words that mean somebody may practise. Anything else has to be looked at. */
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

/** In this order: a status that says two things is taken for the graver one. */
const WORDS: readonly [RegExp, Standing][] = [
  [/\b(?:erased|erasure|struck|removed)\b/, 'struck_off'],
  [/\bsuspen/, 'suspended'],
  [/\bdeactivated\b|^d$/, 'deactivated'],
  [/\bnot registered\b|\brelinquished\b|\bdeceased\b|\blapsed\b|\bretired\b/, 'not_registered'],
  [/\bcondition|\bundertaking/, 'conditions'],
  [/\bprovisional/, 'provisional'],
  [/\bwithout (?:a )?licen[cs]e\b/, 'no_licence'],
]

/** What a register's own words about somebody come to. Words nobody has thought of are `unknown`. */
export function standingOf(body: ProfessionalBody, statusText: string): Standing {
  const words = statusText.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  if (GOOD[body].has(words)) return 'good'
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown'
}
