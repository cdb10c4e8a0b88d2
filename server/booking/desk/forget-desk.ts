import type { SignedIn, Tx } from '#server/context.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { deleteDeskClaim } from './claim-store.ts'
import { sealCancelled } from './desk-event.ts'
import { blankDeskOf, listUpcomingDesk, lockDeskOf, setDeskCancelled } from './desk-store.ts'

/** How many upcoming desk visits would be cancelled by erasing the viewer's account. */
export async function countUpcomingDesk(ctx: SignedIn): Promise<number> {
  if (ctx.viewer.kind !== 'provider') return 0
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  return (await listUpcomingDesk(db, providerNo, ctx.now())).length
}

/** Locks all desk visits of the viewer. Lock order: before the provider, as when a visit is moved. */
export async function lockOwnDesk(ctx: SignedIn, tx: Tx): Promise<void> {
  if (ctx.viewer.kind !== 'provider') return
  const { no: providerNo } = await ownProvider(ctx, tx.db)
  await lockDeskOf(tx.db, providerNo)
}

/**
 * Cancels the upcoming desk visits of the viewer, a provider who is leaving, and blanks the patients' details
 * of all of them, within the transaction that erases the account. Patients who gave an address are emailed
 * from encrypted facts. Does nothing for patients.
 */
export async function forgetDesk(ctx: SignedIn, tx: Tx): Promise<void> {
  if (ctx.viewer.kind !== 'provider') return
  const now = ctx.now()
  const { no: providerNo } = await ownProvider(ctx, tx.db)
  for (const visit of await listUpcomingDesk(tx.db, providerNo, now)) {
    if (visit.email !== '') {
      const sealed = sealCancelled(ctx, visit, now)
      await tx.outbox.add('desk.cancelled', { deskId: visit.id, told: sealed })
    }
    await deleteDeskClaim(tx.db, visit.no)
    await setDeskCancelled(tx.db, visit.no, now)
    await tx.audit.add({ action: 'desk.cancelled', entity: visit.id })
  }
  await blankDeskOf(tx.db, providerNo)
}
