import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy, SilentError } from '#db/failures.ts'
import type { Services } from '#server/context.ts'
import type { Middleware } from '#server/http/request-context.ts'
import { countOutbox, writeHeartbeat } from './store.ts'

/** A probe that waits longer is as good as a refusal, and whoever asks has given up by then. */
const PATIENCE_MS = 3_000

async function tooLong(): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { ref: false })
  throw new SilentError()
}

/** However many ask for our health, the disk is written to only this often. */
const WRITE_EVERY_MS = 10_000

/**
 * Fails when the latest small write to the database did: a full disk is still read from. Concurrent
 * callers share one write; while another process writes, ours counts as done.
 */
function makeWriteProbe({ database, now }: Services): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY
  let latest: Promise<void> = Promise.resolve()
  const write = async () => {
    try {
      await writeHeartbeat(database.db, now())
    } catch (error) {
      if (!isBusy(error)) throw error
    }
  }
  return () => {
    if (now() - startedAt >= WRITE_EVERY_MS) {
      startedAt = now()
      latest = write()
      // Whoever asked may have given up waiting: then nobody is left to hear of it.
      latest.catch(() => {})
    }
    return latest
  }
}

/**
 * Says whether this process can do its work: 200 when the database answers and takes writes, 503 when
 * not. What waits in the outbox, and what was given up there, is for operators.
 */
export function makeHealth(services: Services): Middleware {
  const { database, log } = services
  const probeWrites = makeWriteProbe(services)
  const check = async () => {
    const outbox = await countOutbox(database.db)
    await probeWrites()
    return outbox
  }
  return async (c) => {
    try {
      const outbox = await Promise.race([check(), tooLong()])
      return c.json({ status: 'ok', database: database.engine, outbox })
    } catch (error) {
      log.error({ err: error }, 'the database does not answer or takes no writes')
      c.header('retry-after', '5')
      return c.json({ status: 'unavailable' }, 503)
    }
  }
}
