import * as z from 'zod/mini'
import { PlaceId, ProviderId, VisitTypeId } from './ids.ts'
import { priceFields, requiredLine } from './profiles.ts'
import { OfferedVisitType } from './search.ts'

/** Types of visits one provider may offer at a time. */
export const MAX_VISIT_TYPES = 12

/** How a type of visit can take place; `both` means whichever modes the provider offers. */
export const VisitTypeMode = z.enum(['in_person', 'video', 'both'], {
  error: 'Choose how patients can have this visit.',
})
export type VisitTypeMode = z.infer<typeof VisitTypeMode>

/** A type of visit as its provider edits it. Money in pence or cents. */
export const OwnVisitType = z.object({
  id: VisitTypeId,
  name: z.string(),
  minutes: z.int(),
  /** Fee for a new patient. */
  amount: z.int(),
  /** Fee for a follow-up. */
  follow_amount: z.int(),
  mode: VisitTypeMode,
  /** The only place where it is offered; null is every place. */
  placeId: z.nullable(PlaceId),
  /** Nobody can book it any more; booked visits stay. */
  isArchived: z.boolean(),
})
export type OwnVisitType = z.infer<typeof OwnVisitType>

export const VisitTypesInput = z.strictObject({ providerId: ProviderId })
export type VisitTypesInput = z.infer<typeof VisitTypesInput>

/** In the provider's order: the first is the one the search shows. */
export const OfferedVisitTypes = z.array(OfferedVisitType)
export type OfferedVisitTypes = z.infer<typeof OfferedVisitTypes>

export const SaveVisitTypeInput = z.strictObject({
  /** The type to change; left out, a new one is added at the end. */
  typeId: z.optional(VisitTypeId),
  name: requiredLine('Enter a name, such as “New patient check-up”.', 60),
  minutes: priceFields.consultation_minutes,
  amount: priceFields.amount,
  follow_amount: priceFields.follow_amount,
  mode: VisitTypeMode,
  placeId: z.nullable(PlaceId),
})
export type SaveVisitTypeInput = z.infer<typeof SaveVisitTypeInput>

export const OrderVisitTypesInput = z.strictObject({
  /** All types that are not archived, in their new order: a different set is `changed_meanwhile`. */
  typeIds: z.array(VisitTypeId).check(z.minLength(1), z.maxLength(MAX_VISIT_TYPES)),
})
export type OrderVisitTypesInput = z.infer<typeof OrderVisitTypesInput>

export const ArchiveVisitTypeInput = z.strictObject({
  typeId: VisitTypeId,
  /** False restores an archived type, as the last. */
  isArchived: z._default(z.boolean(), true),
})
export type ArchiveVisitTypeInput = z.infer<typeof ArchiveVisitTypeInput>
