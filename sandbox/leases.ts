/** Where an app process asks for its lease. Beside the leases, so that asking loads no sandbox. */
export const LEASE_PATH = '/_sandbox/lease'

/** Who uses the sandbox right now: every app process holds one answer open for as long as it lives. */
export class Leases {
  readonly #origins = new Map<number, string>()
  #count = 0
  /** Epoch milliseconds since when nobody has held one. */
  #emptySince: number
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
    this.#emptySince = now()
  }

  /** Notes a holder and where it listens; the function ends the lease. */
  take(origin: string): () => void {
    this.#count += 1
    const number = this.#count
    this.#origins.set(number, origin)
    return () => {
      this.#origins.delete(number)
      if (this.#origins.size === 0) this.#emptySince = this.#now()
    }
  }

  /** Where the latest holder listens: they all share one database, so any of them will do. */
  latest(): string | null {
    return [...this.#origins.values()].at(-1) ?? null
  }

  /** How long nobody has held one; 0 while somebody does. */
  emptyFor(): number {
    return this.#origins.size > 0 ? 0 : this.#now() - this.#emptySince
  }

  /** Whether anybody ever held one. */
  wasUsed(): boolean {
    return this.#count > 0
  }
}
