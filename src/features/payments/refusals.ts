import type { Failure } from '#app/lib/errors.ts'
import type { PaymentSlot } from './payment-slot.ts'

/**
 * Refusals that are about the hold and not about the payment: the checkout knows what to do. False
 * for all others, which are said beside the button.
 */
export function tellCheckout({ code }: Failure, slot: PaymentSlot): boolean {
  switch (code) {
    case 'slot_taken':
      slot.onTaken()
      return true
    case 'hold_expired':
    case 'provider_not_bookable':
      slot.onHoldOver()
      return true
    case 'hold_paid':
      slot.onStale()
      return true
    case 'code_required':
    case 'price_changed':
    case 'follow_up_refused':
      // The hold is asked for again; what was wrong is said as well.
      slot.onStale()
      return false
    default:
      return false
  }
}
