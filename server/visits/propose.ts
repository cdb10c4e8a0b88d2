import type { Visit } from '#contract/booking.ts'
import type { KeepTimeInput, ProposeInput } from '#contract/visits-propose.ts'
import type { Offer } from '#server/booking/hold/find-offer.ts'
import { refuseSlot } from '#server/booking/hold/refuse-slot.ts'
import { isTimeToPay } from '#server/booking/rules.ts'
import { dismissProposal, proposeTimes } from '#server/booking/visits/proposals.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { assertMovable, offerFor } from './move-visit.ts'
import { findOfPatient, findOfProvider, lockBooked } from './store.ts'

async function assertFree(ctx: Context, { slot, span, needs, payBy }: Offer): Promise<void> {
  const refused = { providerNo: span.providerNo, wanted: span.start, needs }
  if (slot.free === 0) throw await refuseSlot(ctx, { ...refused, code: 'slot_taken' })
  if (isTimeToPay(payBy, ctx.now())) return
  throw await refuseSlot(ctx, { ...refused, code: 'slot_not_offered' })
}

/**
 * The provider asks the patient of a coming visit whether one of up to three of their free times suits
 * them, three times at most. Nothing is held for it; what was asked before is replaced. A time that is not
 * free is refused as for a booking, and then nothing is proposed.
 */
export async function propose(ctx: SignedIn, input: ProposeInput): Promise<Record<string, never>> {
  const { id, sequence, slots, note = null } = input
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const found = await findOfProvider(db, id, providerNo)
  if (found === undefined) throw new AppError('not_found')
  await assertMovable(db, found, { policy: 'provider', now: ctx.now() })
  const proposed = new Map<number, { start: number; placeNo: number }>()
  for (const slot of slots) {
    const offer = await offerFor(ctx, found, slot)
    await assertFree(ctx, offer)
    const { start } = offer.span
    proposed.set(start, { start, placeNo: offer.slot.place_no })
  }
  await ctx.transaction(async (tx) => {
    await lockBooked(tx.db, found.no)
    const booking = await findOfProvider(tx.db, id, providerNo)
    if (booking === undefined) throw new AppError('not_found')
    await assertMovable(tx.db, booking, { policy: 'provider', now: ctx.now() })
    if (booking.sequence !== sequence) throw new AppError('changed_meanwhile', { what: 'visit' })
    await proposeTimes(ctx, tx, { booking, slots: [...proposed.values()], note })
  })
  return {}
}

/** The patient keeps the time of their visit: the times proposed at that moment are not shown any more. */
export async function keepTime(ctx: SignedIn, { id, at }: KeepTimeInput): Promise<Visit> {
  const { db } = ctx.database
  const booking = await findOfPatient(db, id, ctx.session.accountNo)
  if (booking === undefined) throw new AppError('not_found')
  await ctx.transaction(async (tx) => {
    await lockBooked(tx.db, booking.no)
    await dismissProposal(tx, { booking, at: Temporal.Instant.from(at).epochMilliseconds })
  })
  const visit = await readVisitIn(db, id, ctx.now())
  if (visit === null) throw new Error('The visit that keeps its time is gone.')
  return visit
}
