import { setImmediate as immediate } from 'node:timers/promises'
import { AppError } from '#server/kernel/errors.ts'

const RETRY_SECONDS = 2

type SemaphoreSize = {
  running: number
  /** Maximum waiters of one origin. */
  waiting: number
  /** Maximum waiters of all origins together; the same as `waiting` when left out. */
  waitingInAll?: number
}

type Waiter = { start: () => void; refuse: (error: AppError) => void }

function tooMany(): AppError {
  return new AppError('rate_limited', { retryAfterSeconds: RETRY_SECONDS })
}

/**
 * Bounded fair semaphore: origins take turns, and each origin's queue is FIFO. When the queue is full, the
 * origin with the most waiters loses places.
 */
export class Semaphore {
  readonly #size: Required<SemaphoreSize>
  #running = 0
  #waiting = 0
  /** Waiters by origin; the origin whose turn is next comes first. */
  readonly #lines = new Map<string, Waiter[]>()

  constructor(size: SemaphoreSize) {
    this.#size = { waitingInAll: size.waiting, ...size }
  }

  /**
   * Runs `work` when it is the turn of its origin; throws `rate_limited` when too many are waiting, or when
   * an origin with fewer waiters needs the place.
   */
  async pass<T>(work: () => Promise<T>, origin = ''): Promise<T> {
    if (this.#running < this.#size.running) this.#running += 1
    // A finished call hands its slot to the next waiter, so no newcomer can overtake.
    else await this.#wait(origin)
    try {
      return await work()
    } finally {
      this.#wakeNext()
    }
  }

  #wait(origin: string): Promise<void> {
    const line = this.#lines.get(origin) ?? []
    if (line.length >= this.#size.waiting) throw tooMany()
    if (this.#waiting >= this.#size.waitingInAll) this.#makeRoomFor(line)
    this.#lines.set(origin, line)
    this.#waiting += 1
    return new Promise((start, refuse) => line.push({ start, refuse }))
  }

  /** Rejects the last waiter of the longest queue, unless that would only swap the two queues' lengths. */
  #makeRoomFor(line: readonly Waiter[]): void {
    let longest: Waiter[] = []
    for (const other of this.#lines.values()) if (other.length > longest.length) longest = other
    if (longest.length <= line.length + 1) throw tooMany()
    this.#waiting -= 1
    longest.pop()?.refuse(tooMany())
  }

  #wakeNext(): void {
    const [next] = this.#lines
    if (next === undefined) {
      this.#running -= 1
      return
    }
    const [origin, line] = next
    this.#lines.delete(origin)
    const waiter = line.shift()
    if (line.length > 0) this.#lines.set(origin, line)
    this.#waiting -= 1
    waiter?.start()
  }
}

/** Yields to other pending work on the event loop. */
export async function yieldToEventLoop(): Promise<void> {
  await immediate()
}
