import type { Hold } from '#contract/booking.ts'
import { DAY_MS } from '#contract/time.ts'
import { assertMayHoldMore } from '#server/booking/rules.ts'
import { findLastPurpose, listRecent } from '#server/booking/store.ts'
import type { SignedIn } from '#server/context.ts'
import { capOfComing, capOfPatient } from './cap-holds.ts'
import { hasEverPaid } from './cap-store.ts'
import { readHoldIn } from './read-hold.ts'
import { assertNoOverlap } from './refuse-slot.ts'
import type { Span } from './slot-store.ts'
import type { Claims } from './take-slot.ts'
import { forgetVisitor } from './visitor.ts'
import { setPatient } from './visitor-store.ts'

type Owned = { claim: Claims[number]; span: Span; visitor: string; overlapOk: boolean }

/**
 * Makes the hold of a visitor that of the account they have signed in to, with the minutes it has left.
 * The account's own limits hold as for any new hold; those of the network and of the provider count it
 * already. Null when it is not the visitor's any more: over, given back, or taken over by another tab.
 */
export async function takeOver(ctx: SignedIn, owned: Owned): Promise<Hold | null> {
  const { claim, span, visitor, overlapOk } = owned
  const patientNo = ctx.session.accountNo
  const hold = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    // Two requests of one person wait for each other here.
    await tx.attempts.take('hold', ctx.session.userId)
    const recent = { patientNo, since: now - DAY_MS }
    const own = await listRecent(tx.db, recent)
    // Another tab has just done it.
    if (own.some(({ id }) => id === claim.id)) return readHoldIn(ctx, tx.db, claim.id)
    assertMayHoldMore(own, now)
    await capOfComing(ctx, tx, span.providerNo)
    if (!overlapOk) await assertNoOverlap(ctx, tx, span)
    await capOfPatient(ctx, tx)
    const owner = {
      patientNo,
      purpose: await findLastPurpose(tx.db, recent),
      isKnown: await hasEverPaid(tx.db, patientNo),
    }
    const heldFrom = await setPatient(tx.db, { no: claim.no, visitor, now }, owner)
    if (heldFrom === undefined) return null
    // It counts as a hold of this patient from now on.
    if (heldFrom !== null) await tx.attempts.giveBack('visitor_hold', heldFrom)
    await tx.audit.add({ action: 'booking.taken_over', entity: claim.id })
    return readHoldIn(ctx, tx.db, claim.id)
  })
  if (hold !== null) forgetVisitor(ctx)
  return hold
}
