import * as z from 'zod/mini'
import { SlotTime } from './booking.ts'
import { MOST_PROPOSED } from './booking-proposed.ts'
import { AppointmentId } from './ids.ts'
import { IsoInstant } from './time.ts'
import { LinkedVisit, MoveAgreedInput, VisitLink } from './visits.ts'

const onlyOnce = z.refine<SlotTime[]>(
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
      z.maxLength(MOST_PROPOSED, { error: 'Propose up to three times.' }),
      onlyOnce,
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

export const KeptByLink = z.object({ visit: LinkedVisit })
export type KeptByLink = z.infer<typeof KeptByLink>
