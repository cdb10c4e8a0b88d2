import { setTimeout as sleep } from 'node:timers/promises'
import { monotonic } from '#server/kernel/clock.ts'
import { Gate, nextTurn } from './semaphore.ts'

/** Lets jobs with much to do leave the processors and the database to whoever waits for an answer. */
export type Background = {
  /**
   * Runs a batch when no other one of this process runs, and rests after it; the rest ends at once when
   * `signal` says stop. A batch must not begin another one.
   */
  run<T>(batch: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Runs batches until nothing is left or `signal` says stop. A batch does `size` at most and says how
   * many it did: fewer are the last ones.
   */
  drain(size: number, batch: () => Promise<number>, signal?: AbortSignal): Promise<void>
}

/** So many times as long as a batch took: all of them together take a third of one core at most. */
const REST = 2

/** However long a batch waited for the database. */
const LONGEST_REST_MS = 5_000

/** Nobody is sent away: jobs are few, and each waits for one batch at a time. */
const EVERYBODY = { running: 1, waiting: Number.POSITIVE_INFINITY }

/** One batch at a time, and `rest` times as long without any; with 0 only requests get their turn. */
export function makeBackground(rest = REST): Background {
  const gate = new Gate(EVERYBODY)
  const run: Background['run'] = (batch, signal) =>
    gate.pass(async () => {
      const start = monotonic()
      try {
        return await batch()
      } finally {
        const ms = Math.min(LONGEST_REST_MS, rest * (monotonic() - start))
        if (rest === 0) await nextTurn()
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
