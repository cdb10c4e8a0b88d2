import type { ProfessionalBody } from '#contract/people.ts'
import type { Standing } from '#contract/verification.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { askRegister, type RegisterEntry } from './register-http.ts'
import { standingOf } from './register-standing.ts'

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
