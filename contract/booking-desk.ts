import * as z from 'zod/mini'
import { SlotTime, VisitState } from './booking.ts'
import { DeskVisitId, PlaceId, ProviderId, Reference } from './ids.ts'
import { type Mark, Marking } from './outcomes.ts'
import { Email, PersonName, Phone, withoutHidden } from './people.ts'
import { IsoInstant } from './time.ts'

/** How somebody without an account came to have a visit; the label it bears everywhere. */
export const DeskKind = z.enum(['phone', 'walk_in'], { error: 'Choose phone or walk-in.' })
export type DeskKind = z.infer<typeof DeskKind>

export const deskKindWords: Readonly<Record<DeskKind, string>> = {
  phone: 'Phone',
  walk_in: 'Walk-in',
}

/** Minutes a desk visit may take: it need not be as long as those booked online. */
export const DESK_MINUTES = { least: 5, most: 480 } as const

/** Desk visits one provider may put in within a day. */
export const DESK_VISITS_A_DAY = 200

const DESK_NOTE_MAX = 500

const DeskNote = z
  .string()
  .check(
    withoutHidden,
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

const patient = {
  name: PersonName('Enter the patient’s name.'),
  phone: z.optional(Phone),
  note: z.optional(DeskNote),
}

/** Whoever phoned can be called back. */
const reachable = z.refine<{ kind: DeskKind; phone?: string | undefined }>(
  ({ kind, phone }) => kind !== 'phone' || phone !== undefined,
  { error: 'Enter the patient’s phone number.', path: ['phone'] },
)

export const AddDeskInput = z
  .strictObject({
    ...patient,
    kind: DeskKind,
    /** By the clock of the place that is named, or of the main one. */
    slot: SlotTime,
    /** Left out: the place of the time that is offered then, else the main one. */
    placeId: z.optional(PlaceId),
    /** As long as visits booked online when left out. */
    minutes: z.optional(Minutes),
    /** Told of the visit, and of every move and cancelling; nobody is emailed without it. */
    email: z.optional(Email),
  })
  .check(reachable)
export type AddDeskInput = z.infer<typeof AddDeskInput>

export const DeskRef = z.strictObject({ id: DeskVisitId })
export type DeskRef = z.infer<typeof DeskRef>

/** What is left out stays; an empty note is none. */
export const EditDeskInput = z.strictObject({
  id: DeskVisitId,
  name: z.optional(patient.name),
  phone: z.optional(z.nullable(Phone)),
  note: patient.note,
})
export type EditDeskInput = z.infer<typeof EditDeskInput>

/** How often a visit was changed, as the page showed it: another number is `changed_meanwhile`. */
const Sequence = z.int().check(z.minimum(0), z.maximum(1_000_000))

export const MoveDeskInput = z.strictObject({
  id: DeskVisitId,
  sequence: Sequence,
  slot: SlotTime,
  /** Left out: the place of the time that is offered then, else the one it has. */
  placeId: z.optional(PlaceId),
  /** As long as now when left out. */
  minutes: z.optional(Minutes),
})
export type MoveDeskInput = z.infer<typeof MoveDeskInput>

export const CancelDeskInput = z.strictObject({ id: DeskVisitId, sequence: Sequence })
export type CancelDeskInput = z.infer<typeof CancelDeskInput>

/** Nothing was paid, so that a visit that did not take place is cancelled or left. */
export const DeskMark = z.enum(['arrived', 'completed', 'no_show', 'none'])
export type DeskMark = z.infer<typeof DeskMark>

export const MarkDeskInput = z.strictObject({ id: DeskVisitId, mark: DeskMark })
export type MarkDeskInput = z.infer<typeof MarkDeskInput>

/** What may be marked of a desk visit, whatever else `Mark` knows. */
export const DESK_MARKS: readonly Mark[] = DeskMark.options

/** A desk visit after an act; nothing of it names the patient. */
export const DeskBooked = z.object({
  id: DeskVisitId,
  reference: Reference,
  sequence: z.int(),
  state: VisitState,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
})
export type DeskBooked = z.infer<typeof DeskBooked>

/** Everything its provider may know of a desk visit, but the note, which is asked for apart. */
export const DeskVisit = z.object({
  ...DeskBooked.shape,
  /** The server's clock. */
  now: IsoInstant,
  kind: DeskKind,
  /** Whose free times it can be moved to. */
  providerId: ProviderId,
  place: z.object({ id: PlaceId, name: z.string(), address: z.string(), postcode: z.string() }),
  /** Null once it is no longer kept. */
  patient: z.nullable(
    z.object({ name: z.string(), phone: z.nullable(z.string()), email: z.nullable(z.string()) }),
  ),
  hasNote: z.boolean(),
  marking: Marking,
  bookedAt: IsoInstant,
  /** Start before the last move; null where it was not moved. */
  movedFrom: z.nullable(IsoInstant),
  /** It can be edited, moved and cancelled: neither cancelled nor before today. */
  canChange: z.boolean(),
})
export type DeskVisit = z.infer<typeof DeskVisit>

export const DeskNoteAnswer = z.object({ note: z.string() })
export type DeskNoteAnswer = z.infer<typeof DeskNoteAnswer>

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
      ...DeskBooked.shape,
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
