import type { Context, Tx } from '#server/context.ts'
import { fillSlots } from './fill-slots.ts'

type Owner = { no: number; id: string }

/**
 * Makes the slots of a provider anew after something they follow from has changed: hours, the length
 * of visits, a place. Held and booked times stay. Within the caller's transaction; the search hears of
 * it. Providers who have set no hours keep what they have.
 */
export async function regenerateSlots(ctx: Context, tx: Tx, { no, id }: Owner): Promise<void> {
  if (await fillSlots(tx.db, no, ctx.now())) {
    await tx.outbox.add('provider.changed', { providerId: id })
  }
}
