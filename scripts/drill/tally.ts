import { percentile } from '#bench/measure.ts'

/** A visit somebody was told they have. */
export type ToldVisit = { visitId: string; providerId: string; startsAt: string }

/** What clients met: answers by kind and outcome, tries that had to be repeated, and what was wrong. */
export class Tally {
  readonly #answers = new Map<string, Map<string, number>>()
  readonly #times = new Map<string, number[]>()
  readonly retries = new Map<string, number>()
  /** 5xx that are not a 503 with Retry-After. */
  readonly failures: string[] = []
  /** Calls nobody answered however often they were repeated. */
  readonly unanswered: string[] = []
  readonly visits: ToldVisit[] = []
  /** What was done to the installation, and when. */
  readonly faults: string[] = []

  /** An answer a client can act on, `ms` after its first try. */
  answered(kind: string, outcome: string, ms: number): void {
    const outcomes = this.#answers.get(kind) ?? new Map<string, number>()
    this.#answers.set(kind, outcomes)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const times = this.#times.get(kind) ?? []
    this.#times.set(kind, times)
    times.push(ms)
  }

  retried(why: string): void {
    this.retries.set(why, (this.retries.get(why) ?? 0) + 1)
  }

  /** How often a kind of call ended so. */
  count(kind: string, outcome = 'ok'): number {
    return this.#answers.get(kind)?.get(outcome) ?? 0
  }

  /** A line for each kind of call. */
  lines(): string[] {
    return [...this.#answers].map(([kind, outcomes]) => {
      const times = (this.#times.get(kind) ?? []).toSorted((a, b) => a - b)
      const [middle, late] = [0.5, 0.99].map((part) => Math.round(percentile(times, part)))
      const counts = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
      const longest = Math.round(times.at(-1) ?? 0)
      return `${kind}: ${counts}; ${middle} ms in the middle, ${late} ms for 99 %, ${longest} ms at most`
    })
  }
}
