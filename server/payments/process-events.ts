import type { GatewayEventRow } from '#db/tables/payments.ts'
import { type Context, type Services, systemContext } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { countEventTry, deleteOldEvents, listWaiting, setProcessed } from './event-store.ts'
import { eventDueAt, MAX_EVENT_TRIES } from './rules.ts'
import { recheckRefunds } from './run-refunds.ts'
import { settle } from './settle.ts'
import { findByObject } from './store.ts'

const BATCH = 50
const KEEP_MS = 30 * 24 * 60 * 60_000

async function processOne(ctx: Context, event: GatewayEventRow): Promise<void> {
  const { db } = ctx.database
  const payment =
    event.object === null ? undefined : await findByObject(db, event.gateway, event.object)
  if (payment === undefined && event.object !== null && event.tries < MAX_EVENT_TRIES) {
    // It may be ahead of our own row.
    await countEventTry(db, event)
    return
  }
  if (payment !== undefined) {
    await settle(ctx, payment)
    if (/refund/i.test(event.type)) await recheckRefunds(ctx, payment)
  }
  await setProcessed(db, event, ctx.now())
}

/** Acts on webhooks that were kept: each is a hint to look at the gateway's books. */
export async function processEvents(services: Services, signal?: AbortSignal): Promise<void> {
  const ctx = systemContext(services, 'events')
  for (const event of await listWaiting(services.database.db, BATCH)) {
    if (signal?.aborted === true) return
    if (eventDueAt(event.received_at, event.tries) > services.now()) continue
    try {
      await processOne(ctx, event)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      await countEventTry(services.database.db, event)
      services.log.warn({ err: error, event: event.id }, 'an event will be tried again')
    }
  }
}

/** Forgets events that were acted on a month ago. */
export async function forgetEvents({ database, now }: Services): Promise<void> {
  await deleteOldEvents(database.db, now() - KEEP_MS)
}
