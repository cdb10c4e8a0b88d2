import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import { isBusy, SilentError } from '#db/failures.ts'
import type { Services } from '#server/context.ts'
import { notFound } from '#server/http/errors.ts'
import type { Middleware } from '#server/http/request-context.ts'
import { isLocalRequest } from '#server/http/route-guards.ts'
import { findManyPutOffSince } from '#server/messages/failed-mail.ts'
import { sumDenials } from './audit-store.ts'
import {
  countHolds,
  countOutbox,
  countPayments,
  countRefunds,
  countWebhooks,
  findOldestPending,
  listPutOff,
  readHeartbeat,
  writeHeartbeat,
} from './store.ts'

const MINUTE_MS = 60_000

/** Shorter than the timeouts of probes and of Prometheus, which would not see a slower response. */
const TIMEOUT_MS = 3_000

async function tooLong(): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { ref: false })
  throw new SilentError()
}

/** Put-off emails to look at: from the next one on, the number of those retried is an alert of its own. */
const PUT_OFF_READ = 6

type Reading = { labels?: Record<string, string>; value: number }

/**
 * Registers gauges whose values are read from the database on each scrape, using indexes of open rows;
 * finished rows are never counted. Every process reports the same values.
 */
function registerDatabaseGauges(services: Services): void {
  const { database, now, metrics } = services
  const { registry } = metrics
  const { db, replica } = database
  const watch = (
    { name, help, labelNames = [] }: { name: string; help: string; labelNames?: string[] },
    read: () => Promise<Reading[]>,
  ) => {
    if (registry.getSingleMetric(`apposite_${name}`) !== undefined) return
    const gauge: Gauge = new Gauge({
      name: `apposite_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        // Without labels the gauge would report 0, which may be wrong.
        if (labelNames.length === 0) gauge.remove()
        else gauge.reset()
        try {
          const readings = await Promise.race([read(), tooLong()])
          for (const { labels = {}, value } of readings) gauge.set(labels, value)
        } catch {
          // Without the database the other metrics are still reported, including those that show it is down.
        }
      },
    })
  }
  const byState = (rows: readonly { state: string; count: number }[]): Reading[] =>
    rows.map(({ state, count }) => ({ labels: { state }, value: count }))

  watch(
    { name: 'outbox_waiting', help: 'Deliveries still to be made, such as emails.' },
    async () => [{ value: (await countOutbox(db)).waiting }],
  )
  watch({ name: 'outbox_failed', help: 'Deliveries we gave up on.' }, async () => [
    { value: (await countOutbox(db)).failed },
  ])
  watch(
    { name: 'outbox_retrying', help: 'Deliveries still to be made whose last attempt failed.' },
    async () => [{ value: (await countOutbox(db)).retrying }],
  )
  const secondsSince = (at: number | null) => (at === null ? 0 : Math.max(0, now() - at) / 1_000)
  watch(
    { name: 'outbox_oldest_seconds', help: 'How long the oldest delivery has been waiting.' },
    async () => [{ value: secondsSince((await findOldestPending(db)).createdAt) }],
  )
  watch(
    {
      name: 'outbox_stuck_seconds',
      help: 'How long a delivery has failed for a reason that is not one refused address.',
    },
    async () => {
      const { stuckSince } = await findOldestPending(db)
      const putOff = await listPutOff(db, PUT_OFF_READ)
      const putOffSince = await findManyPutOffSince(services, putOff)
      return [{ value: Math.max(secondsSince(stuckSince), secondsSince(putOffSince)) }]
    },
  )
  watch(
    {
      name: 'outbox_overdue_seconds',
      help: 'How long a delivery has been due and nobody has tried it.',
    },
    async () => [{ value: secondsSince((await findOldestPending(db)).dueAt) }],
  )
  watch(
    { name: 'strangers_refused', help: 'Refusals of strangers in the last hour.' },
    async () => [{ value: await sumDenials(db, Math.floor(now() / MINUTE_MS) - 60) }],
  )
  watch({ name: 'webhooks_waiting', help: 'Gateway events not processed yet.' }, async () => [
    { value: await countWebhooks(db) },
  ])
  watch({ name: 'holds', help: 'Times that are held and not paid for.' }, async () => [
    { value: await countHolds(db) },
  ])
  watch(
    {
      name: 'payments_open',
      help: 'Payments still in progress.',
      labelNames: ['state'],
    },
    async () => byState(await countPayments(db)),
  )
  watch(
    { name: 'refunds_open', help: 'Refunds that have not arrived.', labelNames: ['state'] },
    async () => byState(await countRefunds(db)),
  )
  watch(
    {
      name: 'replica_lag_seconds',
      help: 'How far behind the replica may be, as this process knows it.',
    },
    () => Promise.resolve(replica === null ? [] : [{ value: replica.lagMs() / 1_000 }]),
  )
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
      log.error({ err: error }, 'the database does not respond or accepts no writes')
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
