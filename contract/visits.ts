import * as z from 'zod/mini'
import { PaymentMethod, Visit } from './booking.ts'
import { AppointmentId } from './ids.ts'
import { Money } from './money.ts'
import { DAY_MS, IsoInstant } from './time.ts'

/** UK: cancelling stays free for so long after booking (Consumer Contracts Regulations 2013)… */
export const COOLING_OFF_MS = 14 * DAY_MS

/** …but no longer than until so long before the visit. */
export const COOLING_OFF_NOTICE_MS = DAY_MS

/** How often a visit was changed, as the page showed it: another number is `changed_meanwhile`. */
const Sequence = z.int().check(z.minimum(0), z.maximum(1_000_000))

/** What cancelling a coming visit would do at this moment. */
export const VisitTerms = z.object({
  id: AppointmentId,
  sequence: z.int(),
  startsAt: IsoInstant,
  timeZone: z.string(),
  paymentMethod: PaymentMethod,
  /** What came in for it. */
  paid: Money,
  /** What has not gone back yet. */
  left: Money,
  /** What would go back now, and what would be kept. */
  refund: Money,
  kept: Money,
  /** Before this moment all that is left goes back. */
  freeUntil: IsoInstant,
  isFree: z.boolean(),
})
export type VisitTerms = z.infer<typeof VisitTerms>

/** What the page showed is what is done, or nothing. */
export const CancelInput = z.strictObject({
  id: AppointmentId,
  sequence: Sequence,
  /** What the page said goes back: another amount now is `terms_changed`. */
  refund: Money,
})
export type CancelInput = z.infer<typeof CancelInput>

export const Cancelled = z.object({
  visit: Visit,
  /** What goes back, by the way it was paid. */
  refund: Money,
})
export type Cancelled = z.infer<typeof Cancelled>
