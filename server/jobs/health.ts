import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy, SilentError } from '#db/failures.ts'
import type { Services } from '#server/context.ts'
import { notFound } from '#server/http/errors.ts'
import { isOwnMachine } from '#server/http/origin.ts'
import type { Middleware } from '#server/http/request-context.ts'
import { readHeartbeat, writeHeartbeat } from './store.ts'
import { watchDatabase } from './watch-database.ts'

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
 * Says whether this process can do its work, and nothing else: 200 when the database answers and takes
 * writes, 503 when not.
 */
export function makeHealth(services: Services): Middleware {
  const { database, log } = services
  const probeWrites = makeWriteProbe(services)
  const check = async () => {
    await readHeartbeat(database.db)
    await probeWrites()
  }
  return async (c) => {
    try {
      await Promise.race([check(), tooLong()])
      return c.json({ status: 'ok' })
    } catch (error) {
      log.error({ err: error }, 'the database does not answer or takes no writes')
      c.header('retry-after', '5')
      return c.json({ status: 'unavailable' }, 503)
    }
  }
}

/** Whether a request shows the token of the settings; how far it was right takes no time to tell. */
function showsToken(authorization: string | undefined, token: string | null): boolean {
  if (token === null || authorization === undefined) return false
  const [shown, right] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)]
  return shown.length === right.length && timingSafeEqual(shown, right)
}

/**
 * The numbers an operator watches, as Prometheus reads them: for callers on this machine, and for those
 * who show `METRICS_TOKEN`. For all others there is nothing here.
 */
export function metricsRoute(services: Services): Middleware {
  const { config, metrics } = services
  watchDatabase(services)
  return async (c, next) => {
    const isLocal = isOwnMachine(c.req.raw, c.var.ctx.network)
    const isKnown = showsToken(c.req.header('authorization'), config.metricsToken)
    if (!isLocal && !isKnown) return notFound(c, next)
    const text = await metrics.registry.metrics()
    c.header('content-type', metrics.registry.contentType)
    return c.body(text)
  }
}
