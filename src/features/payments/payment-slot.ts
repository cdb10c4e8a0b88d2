import type { Hold } from '#contract/booking.ts'

/** What the checkout tells the payment buttons, and what it wants to hear. */
export type PaymentSlot = {
  hold: Hold
  /** Money is moving: the page must not be taken away under it. */
  onPaying: (isPaying: boolean) => void
  onBooked: (visitId: string) => void
  /** Somebody else has the time. */
  onTaken: () => void
  onHoldOver: () => void
  /** Something about the hold is not as the page has it: ask again. */
  onStale: () => void
}
