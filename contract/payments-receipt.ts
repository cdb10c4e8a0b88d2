import * as z from 'zod/mini'
import { PaymentMethod, TypeName, VisitFacts, VisitType } from './booking.ts'
import { PaymentId, Reference } from './ids.ts'
import { GatewayAmount } from './money.ts'
import { Region } from './region.ts'
import { VisitMode } from './search.ts'
import { IsoInstant } from './time.ts'

export const ReceiptInput = z.strictObject({ paymentId: PaymentId })
export type ReceiptInput = z.infer<typeof ReceiptInput>

/** One payment received, for the payer: what it was for, how it was paid, and its refunds. */
export const Receipt = z.object({
  paymentId: PaymentId,
  reference: Reference,
  /** Null once the patient has erased the account. */
  patientName: z.nullable(z.string()),
  provider: z.object({ name: z.string(), specialty: z.string() }),
  place: VisitFacts.shape.place,
  region: Region,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  typeOfVisit: VisitType,
  typeName: TypeName,
  mode: VisitMode,
  /** State of the visit; `none` when this money booked nothing. */
  visit: z.enum(['booked', 'cancelled', 'none']),
  method: PaymentMethod,
  /** Amount received. */
  paid: GatewayAmount,
  paidAt: IsoInstant,
  /** Refunds completed or under way, earliest first. */
  refunds: z.array(z.object({ amount: GatewayAmount, at: IsoInstant, isDone: z.boolean() })),
  /** What is left of it after the refunds. */
  left: GatewayAmount,
})
export type Receipt = z.infer<typeof Receipt>
