import type { Visit } from '#contract/booking.ts'
import type { KeepTimeInput, ProposeInput } from '#contract/visits.ts'
import { type Offer, refuseSlot } from '#server/booking/hold/find-offer.ts'
import { hasTimeToPay } from '#server/booking/rules.ts'
import type { Actor } from '#server/booking/visits/cancel-booking.ts'
import { dismissProposal, proposeTimes } from '#server/booking/visits/move-booking.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import type { AsProvider, Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import type { FindVisit } from './cancel-visit.ts'
import { assertMovable, offerFor } from './move-visit.ts'
import { whyNotChange } from './rules.ts'
import { findOfPatient, findOfProvider, lockBooked } from './store.ts'

async function assertFree(ctx: Context, { slot, span, needs, payBy }: Offer): Promise<void> {
  const refused = { providerNo: span.providerNo, wanted: span.start, needs }
  if (slot.free === 0) throw await refuseSlot(ctx, { ...refused, code: 'slot_taken' })
  if (hasTimeToPay(payBy, ctx.now())) return
  throw await refuseSlot(ctx, { ...refused, code: 'slot_not_offered' })
}

/**
 * The provider proposes up to three of their free times to the patient of an upcoming visit, three times at
 * most. Nothing is held; earlier proposals are replaced. A time that is not free is refused as for a booking,
 * and then nothing is proposed.
 */
export async function propose(
  ctx: AsProvider,
  input: ProposeInput,
): Promise<Record<string, never>> {
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

type KeepRequest = {
  find: FindVisit
  /** When the times were proposed, which identifies the proposal. */
  at: string
  /** The actor, where that is not the viewer: a link names its patient. */
  by?: Actor
}

/**
 * The patient of an upcoming visit keeps its time, in the caller's transaction: the times proposed at `at`
 * are deleted. Throws `visit_cancelled` and `visit_begun` as for every change.
 */
export async function keepTimeInTransaction(
  ctx: Context,
  tx: Tx,
  { find, at, by }: KeepRequest,
): Promise<void> {
  const found = await find(tx.db)
  if (found === undefined) throw new AppError('not_found')
  await lockBooked(tx.db, found.no)
  const booking = await find(tx.db)
  if (booking === undefined) throw new AppError('not_found')
  const refusal = whyNotChange(booking, ctx.now())
  if (refusal !== null) throw new AppError(refusal)
  const proposedAt = Temporal.Instant.from(at).epochMilliseconds
  await dismissProposal(ctx, tx, { booking, at: proposedAt, ...(by !== undefined && { by }) })
}

/** The patient keeps the time of one of their visits, and declines the times proposed at `at`. */
export async function keepTime(ctx: SignedIn, { id, at }: KeepTimeInput): Promise<Visit> {
  const { db } = ctx.database
  const find: FindVisit = (of) => findOfPatient(of, id, ctx.session.accountNo)
  await ctx.transaction((tx) => keepTimeInTransaction(ctx, tx, { find, at }))
  const visit = await readVisitIn(db, id, ctx.now())
  if (visit === null) throw new Error('The visit does not exist.')
  return visit
}
