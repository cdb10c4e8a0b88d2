import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import { monotonic } from '#server/kernel/clock.ts'
import { AppError } from '#server/kernel/errors.ts'

const RETRY_SECONDS = 2

type SemaphoreSize = {
  running: number
  /** Most that run of one origin at a time; no fewer than `running` when left out. */
  runningOfOne?: number
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
  readonly #runningOf = new Map<string, number>()

  constructor(size: SemaphoreSize) {
    this.#size = { waitingInAll: size.waiting, runningOfOne: size.running, ...size }
  }

  /**
   * Runs `work` when it is the turn of its origin; throws `rate_limited` when too many are waiting, or when
   * an origin with fewer waiters needs the place.
   */
  async pass<T>(work: () => Promise<T>, origin = ''): Promise<T> {
    // A finished call hands its slot to the next waiter, so no newcomer can overtake.
    if (this.#running < this.#size.running && this.#mayRun(origin)) this.#start(origin)
    else await this.#wait(origin)
    try {
      return await work()
    } finally {
      this.#finish(origin)
    }
  }

  #mayRun(origin: string): boolean {
    return (this.#runningOf.get(origin) ?? 0) < this.#size.runningOfOne
  }

  #start(origin: string): void {
    this.#running += 1
    this.#runningOf.set(origin, (this.#runningOf.get(origin) ?? 0) + 1)
  }

  #finish(origin: string): void {
    const left = (this.#runningOf.get(origin) ?? 0) - 1
    if (left > 0) this.#runningOf.set(origin, left)
    else this.#runningOf.delete(origin)
    this.#running -= 1
    this.#wakeNext()
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
    for (const [origin, line] of this.#lines) {
      if (!this.#mayRun(origin)) continue
      this.#lines.delete(origin)
      const waiter = line.shift()
      if (line.length > 0) this.#lines.set(origin, line)
      this.#waiting -= 1
      this.#start(origin)
      waiter?.start()
      return
    }
  }
}

/** Yields to other pending work on the event loop. */
export async function yieldToEventLoop(): Promise<void> {
  await immediate()
}

/** Throttles large jobs so that the processors and the database stay free for requests. */
export type Background = {
  /**
   * Runs a batch when no other batch of this process is running, then rests; aborting `signal` ends the rest.
   * A batch must not start another one.
   */
  run<T>(batch: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Runs batches until nothing is left or `signal` is aborted. A batch handles at most `size` items and
   * returns how many it handled; a smaller number ends the loop.
   */
  drain(size: number, batch: () => Promise<number>, signal?: AbortSignal): Promise<void>
}

/** Rest as a multiple of the batch's duration: all jobs together use at most a third of one core. */
const REST_FACTOR = 2

/** Longest rest, even if a batch waited long for the database. */
const MAX_REST_MS = 5_000

/** The queue is unbounded: jobs are few, and each waits for one batch at a time. */
const UNBOUNDED = { running: 1, waiting: Number.POSITIVE_INFINITY }

/** Runs one batch at a time, then rests `rest` times its duration; 0 only yields to pending requests. */
export function makeBackground(rest = REST_FACTOR): Background {
  const semaphore = new Semaphore(UNBOUNDED)
  const run: Background['run'] = (batch, signal) =>
    semaphore.pass(async () => {
      const start = monotonic()
      try {
        return await batch()
      } finally {
        const ms = Math.min(MAX_REST_MS, rest * (monotonic() - start))
        if (rest === 0) await yieldToEventLoop()
        else await sleep(ms, undefined, signal && { signal }).catch(() => undefined)
      }
    })
  return {
    run,
    drain: async (size, batch, signal) => {
      for (;;) {
        const done = await run(batch, signal)
        if (done < size || signal?.aborted === true) return
      }
    },
  }
}

type Pages<Row> = { size: number; list: (after: Row | null) => Promise<Row[]> }

/**
 * Yields the rows of pages of `size`, each read as a batch from the last row of the previous one on, until a page
 * is not full or `signal` is aborted.
 */
export async function* rowsInPages<Row>(
  background: Background,
  { size, list }: Pages<Row>,
  signal?: AbortSignal,
): AsyncGenerator<Row, void> {
  let after: Row | null = null
  for (;;) {
    const last: Row | null = after
    const page: Row[] = await background.run(() => list(last), signal)
    for (const row of page) {
      if (signal?.aborted === true) return
      yield row
    }
    if (page.length < size) return
    after = page.at(-1) ?? null
  }
}
