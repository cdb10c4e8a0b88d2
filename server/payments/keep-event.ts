import type { Context } from '#server/context.ts'
import { insertEvent } from './event-store.ts'
import type { GatewayName } from './store.ts'

type Received = { id: string; type: string; object: string | null }
type Webhook = { gateway: GatewayName; event: Received; body: string }

/**
 * Keeps a webhook whose signature was right, so that it may be answered; it is acted on afterwards.
 * False when it came before.
 */
export async function keepEvent(ctx: Context, { gateway, event, body }: Webhook): Promise<boolean> {
  return insertEvent(ctx.database.db, {
    gateway,
    id: event.id,
    type: event.type,
    object: event.object,
    body,
    received_at: ctx.now(),
  })
}
