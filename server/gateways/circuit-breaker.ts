/** So many failures in a row, and nobody is asked for a while. */
const FAILURES = 5
const OPEN_MS = 60_000

/** Spares a service that is down, and those who would wait for it. */
export class CircuitBreaker {
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
