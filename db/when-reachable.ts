import { setTimeout as sleep } from 'node:timers/promises'
import { isUnreachable } from './failures.ts'

const TRY_AGAIN_MS = 500

type Patience = {
  /** Milliseconds from the first try to the last. */
  forMs: number
  /** Called once, with the seconds that are waited at most. */
  say: (seconds: number) => void
}

/**
 * Runs `work`, again and again while the database cannot be reached. What it did before it was cut off
 * must be harmless to do again. Throws what the last try threw; anything else at once.
 */
export async function whenReachable<T>(work: () => Promise<T>, patience: Patience): Promise<T> {
  const { forMs, say } = patience
  const giveUpAt = performance.now() + forMs
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || performance.now() >= giveUpAt) throw error
      if (!hasSaid) say(Math.round(forMs / 1_000))
      await sleep(TRY_AGAIN_MS)
    }
  }
}
