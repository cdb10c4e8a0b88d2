import { setTimeout as sleep } from 'node:timers/promises'
import { SilentError } from '#db/failures.ts'
import type { Services } from '#server/context.ts'
import type { Answers } from '#server/kernel/answer.ts'
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
export function makeHealth(services: Services, answers: Answers) {
  return async (request: Request): Promise<Response> => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    try {
      const outbox = await Promise.race([countOutbox(services.database.db), tooLong()])
      const body = JSON.stringify({ status: 'ok', database: services.database.engine, outbox })
      return answers.text(request, 200, { body, headers })
    } catch (error) {
      services.log.error({ err: error }, 'the database does not answer')
      const body = JSON.stringify({ status: 'unavailable' })
      return answers.text(request, 503, { body, headers: { ...headers, 'retry-after': '5' } })
    }
  }
}
