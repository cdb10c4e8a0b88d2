import { setImmediate as immediate } from 'node:timers/promises'
import { AppError } from '#server/kernel/errors.ts'

const RETRY_SECONDS = 2

type Size = { running: number; waiting: number }

/** Lets so many work at once and so many wait, in turn. */
export class Gate {
  readonly #size: Size
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(size: Size) {
    this.#size = size
  }

  /** Runs `work` when it is its turn; throws `rate_limited` when too many are waiting. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#size.running) {
      this.#running += 1
    } else {
      if (this.#waiting.length >= this.#size.waiting) {
        throw new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
      }
      // Whoever leaves hands its place over, so nobody who comes now can take it.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}

/** Lets whatever else is waiting have its turn of the event loop. */
export async function nextTurn(): Promise<void> {
  await immediate()
}
