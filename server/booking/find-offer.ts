import type { SlotInput } from '#contract/booking.ts'
import type { Instant } from '#db/columns.ts'
import { paymentLead } from '#server/availability/hours-rules.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { refuseSlot } from './refuse-slot.ts'
import { slotAt } from './rules.ts'
import { findBookable, listOffered, type Span } from './slot-store.ts'

export type Offer = {
  provider: NonNullable<Awaited<ReturnType<typeof findBookable>>>
  slot: Awaited<ReturnType<typeof listOffered>>[number]
  span: Span
  /** Until when it has to be paid for: before the provider's notice is reached. */
  payBy: Instant
}

function spanOf(providerNo: number, slot: Offer['slot']): Span {
  return { providerNo, start: slot.start_at, end: slot.start_at + slot.minutes * 60_000 }
}

/**
 * The time an input names, as its provider offers it. Refuses what is over, what was never offered,
 * and providers who take no bookings, unknown ones among them. Whether it is free is another question.
 */
export async function findOffer(ctx: Context, wanted: SlotInput): Promise<Offer> {
  const { db } = ctx.database
  const provider = await findBookable(db, wanted.providerId)
  if (provider?.verification_status !== 'Verified') throw new AppError('provider_not_bookable')
  if ((wanted.region ?? provider.region) !== provider.region) {
    throw new AppError('provider_not_found')
  }
  const instants = slotAt(wanted, provider.time_zone)
  const [first = 0] = instants
  const coming = instants.filter((instant) => instant > ctx.now())
  const refused = { providerNo: provider.no, wanted: first }
  if (coming.length === 0) throw await refuseSlot(ctx, { ...refused, code: 'slot_passed' })
  const [slot] = await listOffered(db, provider.no, coming)
  if (slot === undefined) throw await refuseSlot(ctx, { ...refused, code: 'slot_not_offered' })
  const payBy = slot.start_at - paymentLead(provider.notice_minutes)
  return { provider, slot, span: spanOf(provider.no, slot), payBy }
}
