import * as z from 'zod/mini'
import { SlotTime } from './booking.ts'
import { MAX_PROPOSED_TIMES } from './booking-proposed.ts'
import { AppointmentId } from './ids.ts'
import { IsoInstant } from './time.ts'
import { LinkedVisit, MoveAgreedInput, VisitLink } from './visits.ts'

const uniqueSlots = z.refine<SlotTime[]>(
  (slots) =>
    new Set(slots.map(({ startsAt, date, time }) => startsAt ?? `${date} ${time}`)).size ===
    slots.length,
  { error: 'Add each time only once.' },
)

/** The provider's times that the patient is asked to choose from. None of them is held. */
export const ProposeInput = z.strictObject({
  id: AppointmentId,
  sequence: MoveAgreedInput.shape.sequence,
  slots: z
    .array(SlotTime)
    .check(
      z.minLength(1, { error: 'Add at least one time.' }),
      z.maxLength(MAX_PROPOSED_TIMES, { error: 'Propose up to three times.' }),
      uniqueSlots,
    ),
  note: MoveAgreedInput.shape.note,
})
export type ProposeInput = z.infer<typeof ProposeInput>

/** The patient keeps the current time of the visit; `at` identifies the proposal. */
export const KeepTimeInput = z.strictObject({ id: AppointmentId, at: IsoInstant })
export type KeepTimeInput = z.infer<typeof KeepTimeInput>

/** The same through a link in an email. */
export const KeepTimeByLinkInput = z.strictObject({
  ...VisitLink.shape,
  at: KeepTimeInput.shape.at,
})
export type KeepTimeByLinkInput = z.infer<typeof KeepTimeByLinkInput>

export const KeepTimeByLinkResponse = z.object({ visit: LinkedVisit })
export type KeepTimeByLinkResponse = z.infer<typeof KeepTimeByLinkResponse>
