import { percentile } from '#bench/measure.ts'

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
