/**
 * Path where an app process requests its lease. It is in this file so that requesting one loads no sandbox.
 */
export const LEASE_PATH = '/_sandbox/lease'

/** Who is using the sandbox: every app process keeps one response open for its lifetime. */
export class Leases {
  readonly #origins = new Map<number, string>()
  #count = 0
  /** Epoch milliseconds since when no lease has been held. */
  #emptySince: number
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
    this.#emptySince = now()
  }

  /** Records a holder and its origin; the returned function ends the lease. */
  take(origin: string): () => void {
    this.#count += 1
    const number = this.#count
    this.#origins.set(number, origin)
    return () => {
      this.#origins.delete(number)
      if (this.#origins.size === 0) this.#emptySince = this.#now()
    }
  }

  /** Origin of the latest holder: they all share one database, so any of them will do. */
  latest(): string | null {
    return [...this.#origins.values()].at(-1) ?? null
  }

  /** How long no lease has been held; 0 while one is. */
  emptyFor(): number {
    return this.#origins.size > 0 ? 0 : this.#now() - this.#emptySince
  }

  /** Whether a lease was ever held. */
  wasUsed(): boolean {
    return this.#count > 0
  }
}
