import type { SignedIn, Tx } from '#server/context.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { deleteDeskClaim } from './claim-store.ts'
import { sealCancelled } from './desk-event.ts'
import { blankDeskOf, listDeskComing, lockDeskOf, setDeskCancelled } from './desk-store.ts'

/** How many coming visits of the viewer's erasing the account calls off that nobody paid for. */
export async function countDeskAhead(ctx: SignedIn): Promise<number> {
  if (ctx.viewer.kind !== 'provider') return 0
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  return (await listDeskComing(db, providerNo, ctx.now())).length
}

/**
 * Locks all desk visits of the viewer, before anything locks their provider: whoever moves one locks
 * the visit first as well.
 */
export async function lockOwnDesk(ctx: SignedIn, tx: Tx): Promise<void> {
  if (ctx.viewer.kind !== 'provider') return
  const { no: providerNo } = await ownProvider(ctx, tx.db)
  await lockDeskOf(tx.db, providerNo)
}

/**
 * Calls off the coming desk visits of the viewer, a provider who is leaving, and forgets who came to any
 * of them, within the transaction that erases the account. Whoever gave an address is told by an email
 * that waits encrypted. Nothing for patients.
 */
export async function forgetDesk(ctx: SignedIn, tx: Tx): Promise<void> {
  if (ctx.viewer.kind !== 'provider') return
  const now = ctx.now()
  const { no: providerNo } = await ownProvider(ctx, tx.db)
  for (const visit of await listDeskComing(tx.db, providerNo, now)) {
    if (visit.email !== '') {
      const told = sealCancelled(ctx, visit, now)
      await tx.outbox.add('desk.cancelled', { deskId: visit.id, told })
    }
    await deleteDeskClaim(tx.db, visit.no)
    await setDeskCancelled(tx.db, visit.no, now)
    await tx.audit.add({ action: 'desk.cancelled', entity: visit.id })
  }
  await blankDeskOf(tx.db, providerNo)
}
