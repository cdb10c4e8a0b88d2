import * as z from 'zod/mini'
import { Email } from './base/emails.ts'
import { DeskVisitId, PlaceId, ProviderId, Reference } from './base/ids.ts'
import { stripInvisible } from './base/people.ts'
import { DeskName } from './base/person-names.ts'
import { Phone } from './base/phones.ts'
import { IsoInstant } from './base/time.ts'
import { SlotTime, VisitState } from './booking.ts'
import { type Mark, Marking } from './outcomes.ts'

/** How a patient without an account asked for a visit; shown as its label everywhere. */
export const DeskKind = z.enum(['phone', 'walk_in'], { error: 'Choose phone or walk-in.' })
export type DeskKind = z.infer<typeof DeskKind>

export const deskKindLabels: Readonly<Record<DeskKind, string>> = {
  phone: 'Phone',
  walk_in: 'Walk-in',
}

/** Limits of a desk visit's length in minutes; it may differ from visits booked online. */
export const DESK_MINUTES = { least: 5, most: 480 } as const

/** Desk visits one provider may add in a day. */
export const MAX_DESK_VISITS_PER_DAY = 200

const DESK_NOTE_MAX = 500

const DeskNote = z
  .string()
  .check(
    stripInvisible,
    z.trim(),
    z.maxLength(DESK_NOTE_MAX, { error: `Use ${DESK_NOTE_MAX} characters or fewer.` }),
  )

const minutesError = `Choose between ${DESK_MINUTES.least} and ${DESK_MINUTES.most} minutes.`
const Minutes = z
  .int({ error: minutesError })
  .check(
    z.minimum(DESK_MINUTES.least, { error: minutesError }),
    z.maximum(DESK_MINUTES.most, { error: minutesError }),
  )

const patientFields = {
  name: DeskName('Enter the patient’s name.'),
  phone: z.optional(Phone),
  note: z.optional(DeskNote),
}

/** Requires a phone number for patients who phoned, so that they can be called back. */
const phoneRequired = z.refine<{ kind: DeskKind; phone?: string | undefined }>(
  ({ kind, phone }) => kind !== 'phone' || phone !== undefined,
  { error: 'Enter the patient’s phone number.', path: ['phone'] },
)

export const AddDeskInput = z
  .strictObject({
    ...patientFields,
    kind: DeskKind,
    /** In the local time of the named place, or of the main one. */
    slot: SlotTime,
    /** Left out: the place whose time is offered then, else the main one. */
    placeId: z.optional(PlaceId),
    /** Defaults to the length of visits booked online. */
    minutes: z.optional(Minutes),
    /** Notified of the visit, and of every move and cancellation; without it nobody is emailed. */
    email: z.optional(Email),
  })
  .check(phoneRequired)
export type AddDeskInput = z.infer<typeof AddDeskInput>

export const DeskRef = z.strictObject({ id: DeskVisitId })
export type DeskRef = z.infer<typeof DeskRef>

/** Fields left out stay unchanged; an empty note removes it. */
export const EditDeskInput = z.strictObject({
  id: DeskVisitId,
  name: z.optional(patientFields.name),
  phone: z.optional(z.nullable(Phone)),
  note: patientFields.note,
})
export type EditDeskInput = z.infer<typeof EditDeskInput>

/** How often the visit was changed, as the page showed it: a mismatch is `changed_meanwhile`. */
const Sequence = z.int().check(z.minimum(0), z.maximum(1_000_000))

export const MoveDeskInput = z.strictObject({
  id: DeskVisitId,
  sequence: Sequence,
  slot: SlotTime,
  /** Left out: the place whose time is offered then, else the current one. */
  placeId: z.optional(PlaceId),
  /** Defaults to the current length. */
  minutes: z.optional(Minutes),
})
export type MoveDeskInput = z.infer<typeof MoveDeskInput>

export const CancelDeskInput = z.strictObject({ id: DeskVisitId, sequence: Sequence })
export type CancelDeskInput = z.infer<typeof CancelDeskInput>

/** Nothing was paid, so there is no `not_held`: a visit that did not take place is cancelled or left. */
export const DeskMark = z.enum(['arrived', 'completed', 'no_show', 'none'])
export type DeskMark = z.infer<typeof DeskMark>

export const MarkDeskInput = z.strictObject({ id: DeskVisitId, mark: DeskMark })
export type MarkDeskInput = z.infer<typeof MarkDeskInput>

/** The values of `Mark` that a desk visit may have. */
export const DESK_MARKS: readonly Mark[] = DeskMark.options

/** A desk visit after a change, with nothing that names the patient. */
export const DeskBooking = z.object({
  id: DeskVisitId,
  reference: Reference,
  sequence: z.int(),
  state: VisitState,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
})
export type DeskBooking = z.infer<typeof DeskBooking>

/**
 * What became of the email about a change: `sent` is on its way; `none`: no address is known; `unverified`: we email
 * nobody for a provider who is not verified; `too_many`: too many went to the address, or from this provider;
 * `stopped`: its owner wants no such emails.
 */
export const DeskUnsent = z.enum(['unverified', 'too_many', 'stopped'])
export type DeskUnsent = z.infer<typeof DeskUnsent>

export const DeskEmail = z.enum(['sent', 'none', ...DeskUnsent.options])
export type DeskEmail = z.infer<typeof DeskEmail>

/** Whether the patient gave an address and was not emailed all the same. */
export function isUnsent(email: DeskEmail): email is DeskUnsent {
  return email !== 'sent' && email !== 'none'
}

export const DeskChange = z.object({ ...DeskBooking.shape, email: DeskEmail })
export type DeskChange = z.infer<typeof DeskChange>

export const deskUnsentTexts: Readonly<Record<DeskUnsent, string>> = {
  unverified: 'We didn’t email the patient, because your registration isn’t verified yet.',
  too_many: 'We didn’t email the patient, because too many emails have gone out in the last hour.',
  stopped: 'We didn’t email the patient, because this address has stopped such emails.',
}

/** All that its provider may see of a desk visit except the note, which is fetched separately. */
export const DeskVisit = z.object({
  ...DeskBooking.shape,
  /** The server's clock. */
  now: IsoInstant,
  kind: DeskKind,
  /** Provider whose free times it can be moved to. */
  providerId: ProviderId,
  place: z.object({ id: PlaceId, name: z.string(), address: z.string(), postcode: z.string() }),
  /** Null once it is no longer kept. */
  patient: z.nullable(
    z.object({ name: z.string(), phone: z.nullable(z.string()), email: z.nullable(z.string()) }),
  ),
  hasNote: z.boolean(),
  marking: Marking,
  bookedAt: IsoInstant,
  /** Start before the last move; null if never moved. */
  movedFrom: z.nullable(IsoInstant),
  /** Time zone of that start. */
  movedFromZone: z.string(),
  /** It can be edited, moved and cancelled: not cancelled yet, and not before today. */
  canChange: z.boolean(),
})
export type DeskVisit = z.infer<typeof DeskVisit>

export const DeskNoteResponse = z.object({ note: z.string() })
export type DeskNoteResponse = z.infer<typeof DeskNoteResponse>

/** Desk visits on a page of the list. */
export const DESK_PAGE_SIZE = 10

export const DeskListInput = z.strictObject({
  page: z._default(z.int().check(z.minimum(1), z.maximum(10_000)), 1),
  /** Part of a name, a phone number or a reference; everybody when left out. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
})
export type DeskListInput = z.infer<typeof DeskListInput>

/** Latest first. */
export const DeskList = z.object({
  visits: z.array(
    z.object({
      ...DeskBooking.shape,
      kind: DeskKind,
      /** Null once it is no longer kept. */
      name: z.nullable(z.string()),
      placeName: z.string(),
      outcome: Marking.shape.outcome,
    }),
  ),
  current_page: z.int(),
  total_pages: z.int(),
  total: z.int(),
})
export type DeskList = z.infer<typeof DeskList>
