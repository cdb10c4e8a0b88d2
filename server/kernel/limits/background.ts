import { setTimeout as sleep } from 'node:timers/promises'
import { monotonic } from '#server/kernel/clock.ts'
import { Semaphore, yieldToEventLoop } from './semaphore.ts'

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
