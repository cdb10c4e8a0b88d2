import type { OwnProfile } from '#contract/profiles-own.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { ownProvider, readOwn } from './read-own.ts'

type Change = {
  /** What the audit log calls it. */
  action: `profile.${string}`
  /** Changes the row, which nobody else changes meanwhile. */
  work: (tx: Tx, before: ProviderRowNow) => Promise<void>
}

/** A provider as it is now, with the number it has inside. */
export type ProviderRowNow = Omit<ProviderRow, 'no'> & { no: number }

/** Changes the viewer's profile, tells the search, writes it down, and answers with what it is now. */
export async function changeOwn(ctx: SignedIn, change: Change): Promise<OwnProfile> {
  await ctx.transaction(async (tx) => {
    const before = await ownProvider(ctx, tx.db, 'change')
    await change.work(tx, before)
    await tx.outbox.add('provider.changed', { providerId: before.id })
    await tx.audit.add({ action: change.action, entity: before.id })
  })
  return readOwn(ctx)
}
