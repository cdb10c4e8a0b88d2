import { setTimeout as sleep } from 'node:timers/promises'
import { SilentError } from '#db/failures.ts'
import type { Services } from '#server/context.ts'
import type { Middleware } from '#server/http/request-context.ts'
import { countOutbox } from './store.ts'

/** A probe that waits longer is as good as a refusal, and whoever asks has given up by then. */
const PATIENCE_MS = 3_000

async function tooLong(): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { ref: false })
  throw new SilentError()
}

/**
 * Says whether this process can do its work: 200 when the database answers, 503 when not. What
 * waits in the outbox, and what was given up there, is for operators.
 */
export function makeHealth({ database, log }: Services): Middleware {
  return async (c) => {
    try {
      const outbox = await Promise.race([countOutbox(database.db), tooLong()])
      return c.json({ status: 'ok', database: database.engine, outbox })
    } catch (error) {
      log.error({ err: error }, 'the database does not answer')
      c.header('retry-after', '5')
      return c.json({ status: 'unavailable' }, 503)
    }
  }
}
