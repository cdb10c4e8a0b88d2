import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { Services } from '#server/context.ts'
import { sumDenials } from './audit-store.ts'
import {
  countHolds,
  countOutbox,
  countPayments,
  countRefunds,
  countWebhooks,
  findOldestPending,
} from './store.ts'

const MINUTE_MS = 60_000

/** Shorter than Prometheus's scrape timeout. */
const TIMEOUT_MS = 3_000

async function tooLong(): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { ref: false })
  throw new Error('The database does not answer.')
}

type Reading = { labels?: Record<string, string>; value: number }

/**
 * Registers gauges whose values are read from the database on each scrape, using indexes of open rows;
 * finished rows are never counted. Every process reports the same values.
 */
export function registerDatabaseGauges({ database, now, metrics: { registry } }: Services): void {
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
    { name: 'outbox_oldest_seconds', help: 'How long the oldest delivery has been waiting.' },
    async () => {
      const oldest = await findOldestPending(db)
      return [{ value: oldest === null ? 0 : Math.max(0, now() - oldest) / 1_000 }]
    },
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
