import { AppError } from '#server/kernel/errors.ts'
import { countedFor } from './network.ts'

type Limit = { calls: number; perMs: number }

const MINUTE = 60_000
const HOUR = 3_600_000

/** Calls one network may make in any window of that length. The documentation lists them too. */
export const limits = {
  /** Everything together. */
  all: { calls: 600, perMs: MINUTE },
  /** An open page of staff asks once a second whether its rights are still the same. */
  sessionStatus: { calls: 1_200, perMs: MINUTE },
  search: { calls: 120, perMs: MINUTE },
  /** Questions whether a time is free. */
  slot: { calls: 60, perMs: MINUTE },
  /** Openings of the links in emails about visits, right or wrong, and what is done by them. */
  visit_link: { calls: 60, perMs: MINUTE },
  /** Searches of a network that has proved to be a person's. */
  search_proved: { calls: 480, perMs: MINUTE },
  /** Calls with one access token, wherever they come from. */
  token: { calls: 300, perMs: MINUTE },
  /** Readings of one calendar link, wherever they come from. */
  calendar_feed: { calls: 60, perMs: HOUR },
  /** Pages, and the documents that describe the calls. */
  page: { calls: 600, perMs: MINUTE },
  /** The demo's mailbox, and the pages of the payment sandbox. */
  demo: { calls: 600, perMs: MINUTE },
  /** Pages rendered here; beyond, they come bare, for the browser to render. */
  render: { calls: 120, perMs: MINUTE },
  /** Probes of health, and the numbers for operators. */
  health: { calls: 300, perMs: MINUTE },
  contact: { calls: 5, perMs: HOUR },
  /** Challenges cost us a few milliseconds each. */
  challenge: { calls: 60, perMs: MINUTE },
  /** Gateways send what they have, a storm at times; the signature is what keeps others out. */
  webhook: { calls: 20_000, perMs: MINUTE },
  /** Events whose signature is wrong; beyond, none of that network is looked at. */
  bad_signature: { calls: 60, perMs: MINUTE },
  /** Answers to the cookie banner: each is kept for half a year. */
  consent: { calls: 60, perMs: HOUR },
  upload: { calls: 20, perMs: HOUR },
  /** Staff who fill the gallery; what an account may keep is limited beside. */
  gallery_upload: { calls: 120, perMs: HOUR },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

/** How long a proof of being a person lifts the search budget. */
export const LIFT_MS = 15 * MINUTE

/** How long a key stays refused before the database is asked again: tries may have been given back. */
const SPENT_MS = 5_000

/** Whether the call may go on, or else the whole seconds until it is worth trying again. */
type Verdict = { allowed: true } | { allowed: false; retryAfterSeconds: number }

export type RateLimiter = {
  /**
   * Counts one call of `key` against the budget `name`, `share` times over; a refused call costs
   * nothing.
   */
  take(name: LimitName, key: string, share?: number): Verdict
  /** What `take` would say, without counting. */
  look(name: LimitName, key: string): Verdict
  /** Lets a network search more for so many milliseconds. */
  lift(key: string, forMs: number): void
  isLifted(key: string): boolean
  /** Remembers for a few seconds that a key has spent a limit which is counted in the database. */
  markExhausted(key: string, retryAfterSeconds: number): void
  /** Seconds until such a key is worth trying again; 0 when the database has to be asked. */
  exhaustedFor(key: string): number
}

type Consumer = { limiter: RateLimiter; network: string }

function takeOf({ limiter, network }: Consumer, name: LimitName): Verdict {
  let verdict: Verdict = { allowed: true }
  for (const { key, share } of countedFor(network)) {
    if (verdict.allowed) verdict = limiter.take(name, key, share)
  }
  return verdict
}

/** Counts one call of the caller's network against a budget, or throws `rate_limited`. */
export function consume(consumer: Consumer, name: LimitName): void {
  const verdict = takeOf(consumer, name)
  if (verdict.allowed) return
  throw new AppError('rate_limited', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/** Throws `rate_limited` when the caller's network has spent a budget; counts nothing. */
export function assertNotExhausted({ limiter, network }: Consumer, name: LimitName): void {
  const verdict = limiter.look(name, network)
  if (verdict.allowed) return
  throw new AppError('rate_limited', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/** Counts one call of an access token against a budget of its own, or throws `rate_limited`. */
export function consumeToken(
  { limiter }: Consumer,
  name: LimitName,
  { id }: { id: string | null },
): void {
  consume({ limiter, network: id ?? '' }, name)
}

/**
 * Counts one search. Beyond the budget a network has to prove that it is a person's, with
 * `captcha_required`; one that has proved it has a larger budget, and then has to wait.
 */
export function consumeSearch(consumer: Consumer): void {
  const { limiter, network } = consumer
  if (limiter.isLifted(network)) {
    consume(consumer, 'search_proved')
    return
  }
  const verdict = takeOf(consumer, 'search')
  if (verdict.allowed) return
  throw new AppError('captcha_required', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/**
 * The window is counted in slices, and one slice more than fits into it, so that no window of
 * that length ever holds more than the limit, wherever it begins.
 */
const SLICES = 6
const KEPT = SLICES + 1

/** How many keys are remembered; about 15 MB when full. */
const CAPACITY = 100_000

class Counter {
  readonly slices: number[] = Array.from({ length: KEPT }, () => 0)
  latest: number
  total = 0

  constructor(slice: number) {
    this.latest = slice
  }

  /** Forgets what has left the window. A clock set back counts as one standing still. */
  moveTo(slice: number): void {
    const steps = Math.min(slice - this.latest, KEPT)
    for (let step = 1; step <= steps; step += 1) {
      const place = (this.latest + step) % KEPT
      this.total -= this.slices[place] ?? 0
      this.slices[place] = 0
    }
    this.latest = Math.max(slice, this.latest)
  }

  count(): void {
    const place = this.latest % KEPT
    this.slices[place] = (this.slices[place] ?? 0) + 1
    this.total += 1
  }

  /** Slices until the oldest counted call is forgotten. */
  slicesToWait(): number {
    for (let age = KEPT - 1; age >= 0; age -= 1) {
      if ((this.slices[(this.latest - age + KEPT) % KEPT] ?? 0) > 0) return KEPT - age
    }
    return 1
  }
}

function secondsUntilFree(counter: Counter, at: number, sliceMs: number): number {
  const freeAt = (counter.latest + counter.slicesToWait()) * sliceMs
  return Math.max(1, Math.ceil((freeAt - at) / 1_000))
}

/** The counters of one budget. */
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

  look(key: string, at: number): Verdict {
    const counter = this.#counters.get(key)
    counter?.moveTo(Math.floor(at / this.#sliceMs))
    if (counter === undefined || counter.total < this.#limit.calls) return { allowed: true }
    return { allowed: false, retryAfterSeconds: secondsUntilFree(counter, at, this.#sliceMs) }
  }

  /**
   * The latest key stands last. When there are too many the one that was not used for longest is
   * forgotten: newcomers are never shut out, and a flood from one key keeps that key in mind.
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
 * Counts calls in memory, each process for itself. `clock` is milliseconds that do not run
 * backwards; `capacity` is how many keys each budget remembers.
 */
export function makeRateLimiter(clock: () => number, capacity: number = CAPACITY): RateLimiter {
  const budgets = new Map<LimitName, Budget>()
  const lifted = new Map<string, number>()
  const spent = new Map<string, { askAt: number; freeAt: number }>()
  return {
    markExhausted(key, retryAfterSeconds) {
      if (spent.size >= capacity) spent.clear()
      const freeAt = clock() + retryAfterSeconds * 1_000
      spent.set(key, { askAt: Math.min(freeAt, clock() + SPENT_MS), freeAt })
    },
    exhaustedFor(key) {
      const entry = spent.get(key)
      if (entry === undefined) return 0
      if (entry.askAt > clock()) return Math.ceil((entry.freeAt - clock()) / 1_000)
      spent.delete(key)
      return 0
    },
    lift(key, forMs) {
      // A proof costs its sender seconds, so this fills slowly; still it must not fill for ever.
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
    look: (name, key) => budgets.get(name)?.look(key, clock()) ?? { allowed: true },
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
