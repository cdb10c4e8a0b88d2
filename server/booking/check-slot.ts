import type { SlotAnswer, SlotInput } from '#contract/booking.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findOffer } from './find-offer.ts'
import { isTimeToPay } from './rules.ts'
import { listClaimsIn } from './slot-store.ts'

const NO: ReadonlySet<string> = new Set([
  'slot_passed',
  'slot_not_offered',
  'provider_not_bookable',
])

async function isAvailable(ctx: Context, input: SlotInput): Promise<boolean> {
  const { slot, span, payBy } = await findOffer(ctx, input)
  if (slot.free === 1) return isTimeToPay(payBy, ctx.now())
  const claims = await listClaimsIn(ctx.database.db, span)
  const accountNo = ctx.session?.accountNo
  // The wallet asks while it holds the very time it asks about.
  return claims.some(
    (one) => one.patient_no === accountNo && one.state === 'held' && one.hold_until > ctx.now(),
  )
}

/** Whether a time could be had at this moment: advice, because only a hold decides. */
export async function checkSlot(ctx: Context, input: SlotInput): Promise<SlotAnswer> {
  try {
    return { available: await isAvailable(ctx, input) }
  } catch (error) {
    if (error instanceof AppError && NO.has(error.code)) return { available: false }
    throw error
  }
}
