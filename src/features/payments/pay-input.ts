import type { Hold } from '#contract/booking.ts'
import type { Money } from '#contract/money.ts'
import type { PayInput } from '#contract/payments.ts'

/** What the person sees and is about to pay. */
export function priceOf(hold: Hold): Money {
  return hold.fees[hold.typeOfVisit]
}

/** What starting a payment says: our words, and the price on the screen to be compared. */
export function payInputOf(hold: Hold): PayInput {
  return {
    holdId: hold.id,
    typeOfVisit: hold.typeOfVisit,
    purposeForVisit: hold.purposeForVisit,
    shown: priceOf(hold),
  }
}
