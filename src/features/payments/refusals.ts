import type { Failure } from '#app/lib/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { PaymentSlot } from './payment-slot.ts'

type Telling = {
  tell: (slot: PaymentSlot) => void
  /** The checkout changes so that nothing needs to be said beside the button. */
  isSaidThere: boolean
}

const about: Partial<Record<ErrorCode, Telling>> = {
  slot_taken: { tell: (slot) => slot.onTaken(), isSaidThere: true },
  hold_expired: { tell: (slot) => slot.onHoldOver(), isSaidThere: true },
  provider_not_bookable: { tell: (slot) => slot.onHoldOver(), isSaidThere: true },
  hold_paid: { tell: (slot) => slot.onStale(), isSaidThere: true },
  code_required: { tell: (slot) => slot.onStale(), isSaidThere: false },
  price_changed: { tell: (slot) => slot.onStale(), isSaidThere: false },
  follow_up_refused: { tell: (slot) => slot.onStale(), isSaidThere: false },
}
const byCode = new Map(Object.entries(about))

/** Tells the checkout of a refusal that is about the hold; true when that says it all. */
export function tellCheckout({ code }: Failure, slot: PaymentSlot): boolean {
  const telling = byCode.get(code)
  telling?.tell(slot)
  return telling?.isSaidThere ?? false
}
