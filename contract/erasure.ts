import * as z from 'zod/mini'
import { AppointmentId } from './base/ids.ts'
import { Money } from './base/money.ts'
import { IsoInstant } from './base/time.ts'

/** Visits listed one by one before an account is erased; the others are only counted. */
export const MAX_AFFECTED_LISTED = 100

/** A paid visit that erasing the viewer's account cancels. */
export const AffectedVisit = z.object({
  id: AppointmentId,
  startsAt: IsoInstant,
  timeZone: z.string(),
  /** First name and initial; null once the patient has erased their own account. */
  patientName: z.nullable(z.string()),
})
export type AffectedVisit = z.infer<typeof AffectedVisit>

/** What erasing the viewer's account would cancel and refund. */
export const ErasurePreview = z.object({
  /** Sent back as `seen`: it differs as soon as another visit or another sum is affected. */
  version: z.string(),
  count: z.int(),
  /** The soonest first, at most `MAX_AFFECTED_LISTED`. */
  visits: z.array(AffectedVisit),
  /** Visits added by phone or at the desk that are cancelled as well; nothing was paid for them. */
  deskCount: z.int(),
  /** The total refunded, one sum per currency. */
  refunds: z.array(Money),
})
export type ErasurePreview = z.infer<typeof ErasurePreview>

/** Erasing needs a step-up within five minutes, or a verified code of the purpose `erase`. */
export const EraseInput = z.strictObject({
  confirm: z.literal(true, { error: 'Confirm that you want to delete your account.' }),
  /** `version` of what was shown; not needed without upcoming visits. */
  seen: z.optional(z.string().check(z.maxLength(64))),
})
export type EraseInput = z.infer<typeof EraseInput>
