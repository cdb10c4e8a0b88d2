import { AppError } from '#server/kernel/errors.ts'
import { limitKeys } from './network.ts'

type Limit = { calls: number; perMs: number }

const MINUTE = 60_000
const HOUR = 3_600_000

/** Calls one network may make in any window of `perMs`. The documentation lists them too. */
export const limits = {
  /** All calls together. */
  all: { calls: 600, perMs: MINUTE },
  /** An open staff page checks every second whether its permissions have changed. */
  sessionStatus: { calls: 1_200, perMs: MINUTE },
  search: { calls: 120, perMs: MINUTE },
  /** Checks whether a time is free. */
  slot: { calls: 60, perMs: MINUTE },
  /** Visits to links in emails about visits, valid or not, and the actions taken through them. */
  visit_link: { calls: 60, perMs: MINUTE },
  /** Searches from a network that has passed a CAPTCHA. */
  search_proved: { calls: 480, perMs: MINUTE },
  /** Calls with one access token, from any network. */
  token: { calls: 300, perMs: MINUTE },
  /** Reads of one calendar link, from any network. */
  calendar_feed: { calls: 60, perMs: HOUR },
  /** Pages, and the API descriptions. */
  page: { calls: 600, perMs: MINUTE },
  /** The demo's mailbox, and the pages of the payment sandbox. */
  demo: { calls: 600, perMs: MINUTE },
  /** Server-rendered pages; beyond the limit, the browser renders them. */
  render: { calls: 120, perMs: MINUTE },
  /** Health probes and metrics. */
  health: { calls: 300, perMs: MINUTE },
  contact: { calls: 5, perMs: HOUR },
  /** Creating a challenge takes CPU time. */
  challenge: { calls: 60, perMs: MINUTE },
  /** Gateways may send bursts; the signature keeps others out. */
  webhook: { calls: 20_000, perMs: MINUTE },
  /** Events with a wrong signature; beyond the limit, the network's events are not checked at all. */
  bad_signature: { calls: 60, perMs: MINUTE },
  /** Cookie banner choices: each is kept for half a year. */
  consent: { calls: 60, perMs: HOUR },
  upload: { calls: 20, perMs: HOUR },
  /** Gallery uploads by staff; storage per account is limited separately. */
  gallery_upload: { calls: 120, perMs: HOUR },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

/** How long a solved CAPTCHA lifts the search limit. */
export const LIFT_MS = 15 * MINUTE

/** How long a key stays refused before the database is checked again: attempts may have been given back. */
const EXHAUSTED_CACHE_MS = 5_000

/** Whether the call is allowed, or the whole seconds until a retry is worthwhile. */
type Verdict = { allowed: true } | { allowed: false; retryAfterSeconds: number }

export type RateLimiter = {
  /** Counts one call of `key` against `share` times the limit `name`; a refused call is not counted. */
  take(name: LimitName, key: string, share?: number): Verdict
  /** The verdict of `take`, without counting. */
  check(name: LimitName, key: string, share?: number): Verdict
  /** Lifts the search limit of a network for this many milliseconds. */
  lift(key: string, forMs: number): void
  isLifted(key: string): boolean
  /** Caches for a few seconds that a key has exhausted a limit counted in the database. */
  markExhausted(key: string, retryAfterSeconds: number): void
  /** Seconds until a retry is worthwhile for such a key; 0 when the database must be checked. */
  exhaustedFor(key: string): number
}

type Consumer = { limiter: RateLimiter; network: string }

function takeForNetwork({ limiter, network }: Consumer, name: LimitName): Verdict {
  let verdict: Verdict = { allowed: true }
  for (const { key, share } of limitKeys(network)) {
    if (verdict.allowed) verdict = limiter.take(name, key, share)
  }
  return verdict
}

/** Counts one call of the caller's network against a limit, or throws `rate_limited`. */
export function consume(consumer: Consumer, name: LimitName): void {
  const verdict = takeForNetwork(consumer, name)
  if (verdict.allowed) return
  throw new AppError('rate_limited', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/** The verdict on one call of the caller's network against a limit, without counting. */
export function checkLimit({ limiter, network }: Consumer, name: LimitName): Verdict {
  const verdicts = limitKeys(network).map(({ key, share }) => limiter.check(name, key, share))
  return verdicts.find(({ allowed }) => !allowed) ?? { allowed: true }
}

/** Throws `rate_limited` when the caller's network has exhausted a limit; counts nothing. */
export function assertNotExhausted(consumer: Consumer, name: LimitName): void {
  const verdict = checkLimit(consumer, name)
  if (verdict.allowed) return
  throw new AppError('rate_limited', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/** Counts one call of an access token, separately from its network, or throws `rate_limited`. */
export function consumeToken(
  { limiter }: Consumer,
  name: LimitName,
  { id }: { id: string | null },
): void {
  consume({ limiter, network: id ?? '' }, name)
}

/**
 * Counts one search. Beyond the limit it throws `captcha_required`; a network that has passed the CAPTCHA has
 * a higher limit, beyond which it throws `rate_limited`.
 */
export function consumeSearch(consumer: Consumer): void {
  const { limiter, network } = consumer
  if (limiter.isLifted(network)) {
    consume(consumer, 'search_proved')
    return
  }
  const verdict = takeForNetwork(consumer, 'search')
  if (verdict.allowed) return
  throw new AppError('captcha_required', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/**
 * The window is counted in slices, plus one extra slice, so that no window of that length, wherever it
 * begins, exceeds the limit.
 */
const SLICES = 6
const KEPT_SLICES = SLICES + 1

/** Keys kept per limit, to bound memory. */
const CAPACITY = 100_000

class Counter {
  readonly slices: number[] = Array.from({ length: KEPT_SLICES }, () => 0)
  latest: number
  total = 0

  constructor(slice: number) {
    this.latest = slice
  }

  /** Drops slices that have left the window. A clock set back counts as one that stopped. */
  moveTo(slice: number): void {
    const steps = Math.min(slice - this.latest, KEPT_SLICES)
    for (let step = 1; step <= steps; step += 1) {
      const place = (this.latest + step) % KEPT_SLICES
      this.total -= this.slices[place] ?? 0
      this.slices[place] = 0
    }
    this.latest = Math.max(slice, this.latest)
  }

  count(): void {
    const place = this.latest % KEPT_SLICES
    this.slices[place] = (this.slices[place] ?? 0) + 1
    this.total += 1
  }

  /** Slices until the oldest counted call expires. */
  slicesToWait(): number {
    for (let age = KEPT_SLICES - 1; age >= 0; age -= 1) {
      if ((this.slices[(this.latest - age + KEPT_SLICES) % KEPT_SLICES] ?? 0) > 0)
        return KEPT_SLICES - age
    }
    return 1
  }
}

function secondsUntilFree(counter: Counter, at: number, sliceMs: number): number {
  const freeAt = (counter.latest + counter.slicesToWait()) * sliceMs
  return Math.max(1, Math.ceil((freeAt - at) / 1_000))
}

/** The counters of one limit. */
class Budget {
  readonly #limit: Limit
  readonly #sliceMs: number
  readonly #capacity: number
  readonly #counters = new Map<string, Counter>()

  constructor(limit: Limit, capacity: number) {
    this.#limit = limit
    this.#sliceMs = limit.perMs / SLICES
    this.#capacity = capacity
  }

  take(key: string, at: number, share: number): Verdict {
    const slice = Math.floor(at / this.#sliceMs)
    const counter = this.#counters.get(key) ?? new Counter(slice)
    this.#keep(key, counter)
    counter.moveTo(slice)
    if (counter.total >= this.#limit.calls * share) {
      return { allowed: false, retryAfterSeconds: secondsUntilFree(counter, at, this.#sliceMs) }
    }
    counter.count()
    return { allowed: true }
  }

  look(key: string, at: number, share: number): Verdict {
    const counter = this.#counters.get(key)
    counter?.moveTo(Math.floor(at / this.#sliceMs))
    if (counter === undefined || counter.total < this.#limit.calls * share) {
      return { allowed: true }
    }
    return { allowed: false, retryAfterSeconds: secondsUntilFree(counter, at, this.#sliceMs) }
  }

  /**
   * Keeps keys in least-recently-used order and evicts the oldest when full: new keys always fit, and a key
   * that floods stays counted.
   */
  #keep(key: string, counter: Counter): void {
    this.#counters.delete(key)
    this.#counters.set(key, counter)
    if (this.#counters.size <= this.#capacity) return
    const [oldest] = this.#counters.keys()
    if (oldest !== undefined) this.#counters.delete(oldest)
  }
}

/**
 * Counts calls in memory, per process. `clock` is monotonic milliseconds; `capacity` is how many keys each
 * limit keeps.
 */
export function makeRateLimiter(clock: () => number, capacity: number = CAPACITY): RateLimiter {
  const budgets = new Map<LimitName, Budget>()
  const lifted = new Map<string, number>()
  const exhausted = new Map<string, { askAt: number; freeAt: number }>()
  return {
    markExhausted(key, retryAfterSeconds) {
      if (exhausted.size >= capacity) exhausted.clear()
      const freeAt = clock() + retryAfterSeconds * 1_000
      exhausted.set(key, { askAt: Math.min(freeAt, clock() + EXHAUSTED_CACHE_MS), freeAt })
    },
    exhaustedFor(key) {
      const entry = exhausted.get(key)
      if (entry === undefined) return 0
      if (entry.askAt > clock()) return Math.ceil((entry.freeAt - clock()) / 1_000)
      exhausted.delete(key)
      return 0
    },
    lift(key, forMs) {
      // Solving a CAPTCHA takes seconds, so this fills slowly, but its size must be bounded.
      if (lifted.size >= capacity) lifted.clear()
      lifted.set(key, clock() + forMs)
    },
    isLifted(key) {
      const until = lifted.get(key)
      if (until === undefined) return false
      if (until > clock()) return true
      lifted.delete(key)
      return false
    },
    check: (name, key, share = 1) =>
      budgets.get(name)?.look(key, clock(), share) ?? { allowed: true },
    take(name, key, share = 1) {
      let budget = budgets.get(name)
      if (budget === undefined) {
        budget = new Budget(limits[name], capacity)
        budgets.set(name, budget)
      }
      return budget.take(key, clock(), share)
    },
  }
}
