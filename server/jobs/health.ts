import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy, SilentError } from '#db/failures.ts'
import type { Services } from '#server/context.ts'
import { notFound } from '#server/http/errors.ts'
import { isLocalRequest } from '#server/http/origin.ts'
import type { Middleware } from '#server/http/request-context.ts'
import { readHeartbeat, writeHeartbeat } from './store.ts'
import { registerDatabaseGauges } from './watch-database.ts'

/** A slower probe counts as failed; the caller has given up by then. */
const TIMEOUT_MS = 3_000

async function tooLong(): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { ref: false })
  throw new SilentError()
}

/** The disk is written to at most this often, however many probes arrive. */
const MIN_WRITE_INTERVAL_MS = 10_000

/**
 * Fails when the latest small write to the database failed, because a full disk can still be read. Concurrent
 * callers share one write; a write blocked by another process counts as successful.
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
    if (now() - startedAt >= MIN_WRITE_INTERVAL_MS) {
      startedAt = now()
      latest = write()
      // The caller may have timed out, which would leave the rejection unhandled.
      latest.catch(() => {})
    }
    return latest
  }
}

/** Health check of this process: 200 when the database responds and accepts writes, otherwise 503. */
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

/** Whether a request carries the configured token, compared in constant time. */
function hasToken(authorization: string | undefined, token: string | null): boolean {
  if (token === null || authorization === undefined) return false
  const [shown, right] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)]
  return shown.length === right.length && timingSafeEqual(shown, right)
}

/** Prometheus metrics, for callers on this machine and for those with `METRICS_TOKEN`; 404 for all others. */
export function metricsRoute(services: Services): Middleware {
  const { config, metrics } = services
  registerDatabaseGauges(services)
  return async (c, next) => {
    const isLocal = isLocalRequest(c.req.raw, c.var.ctx.network)
    const isKnown = hasToken(c.req.header('authorization'), config.metricsToken)
    if (!isLocal && !isKnown) return notFound(c, next)
    const text = await metrics.registry.metrics()
    c.header('content-type', metrics.registry.contentType)
    return c.body(text)
  }
}
