import { setTimeout as sleep } from 'node:timers/promises'
import { isUnreachable } from './failures.ts'

const RETRY_MS = 500

type RetryOptions = {
  /** Milliseconds from the first attempt to the last. */
  forMs: number
  /** Called once, with the maximum wait in seconds. */
  say: (seconds: number) => void
}

/**
 * Runs `work`, and retries while the database cannot be reached. Whatever it did before the connection was
 * lost must be safe to repeat. Throws the error of the last attempt, and any other error at once.
 */
export async function retryUntilReachable<T>(
  work: () => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const { forMs, say } = options
  const giveUpAt = performance.now() + forMs
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || performance.now() >= giveUpAt) throw error
      if (!hasSaid) say(Math.round(forMs / 1_000))
      await sleep(RETRY_MS)
    }
  }
}
