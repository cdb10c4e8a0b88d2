import * as z from 'zod/mini'
import { AppointmentId, PlaceId, Reference, VisitId, VisitTypeId } from './base/ids.ts'
import { Money } from './base/money.ts'
import { IsoDate, IsoInstant } from './base/time.ts'
import {
  PaymentMethod,
  ProposedTimes,
  TypeName,
  VisitMove,
  VisitState,
  VisitType,
} from './booking.ts'
import { DeskKind } from './booking-desk.ts'
import { Marking } from './outcomes.ts'
import { FreeDay, VisitMode } from './search.ts'

/** A visit as its provider sees it, booked online or added at the desk. Its purpose is fetched separately. */
export const DayVisit = z.object({
  id: VisitId,
  reference: Reference,
  /** Null once the patient has erased the account, or the name is no longer kept. */
  patientName: z.nullable(z.string()),
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  placeName: z.string(),
  mode: VisitMode,
  /** How a desk visit came about; null for one that was booked and paid for online. */
  desk: z.nullable(DeskKind),
  /** Null for desk visits: nothing is charged for them. */
  typeOfVisit: z.nullable(VisitType),
  typeName: TypeName,
  /** Why the follow-up fee was granted: an earlier visit here, or the patient's own word. */
  followUpBasis: z.nullable(z.enum(['history', 'self_declared'])),
  /** Whether it has a purpose, or a desk note. */
  hasPurpose: z.boolean(),
  marking: Marking,
})
export type DayVisit = z.infer<typeof DayVisit>

/** A visit in a provider's calendar. */
export const WeekVisit = z.object({
  ...DayVisit.shape,
  placeId: PlaceId,
  /** Its type, whose times it can be moved to; null for desk visits and for visits older than types. */
  typeId: z.nullable(VisitTypeId),
  /** Null when none is known, or no longer. */
  phone: z.nullable(z.string()),
})
export type WeekVisit = z.infer<typeof WeekVisit>

/** A provider's visits over some days, in the local time of their places. */
export const ProviderWeek = z.object({
  /** The server's clock. */
  now: IsoInstant,
  /** The provider works at more than one place, so times name theirs. */
  hasManyPlaces: z.boolean(),
  /** Confirmed ones, in chronological order. */
  visits: z.array(WeekVisit),
})
export type ProviderWeek = z.infer<typeof ProviderWeek>

/** A provider's visits of today. */
export const ProviderDay = z.object({
  /** The server's clock, to tell past from current visits. */
  now: IsoInstant,
  /** Today at the main place. */
  date: IsoDate,
  timeZone: z.string(),
  /** The provider works at more than one place, so times name theirs. */
  hasManyPlaces: z.boolean(),
  /** Confirmed ones, in chronological order. */
  visits: z.array(DayVisit),
  /** The first visit after today. */
  next: z.nullable(DayVisit),
  /** The next two days with free times, at most four of each. */
  free: z.array(FreeDay),
})
export type ProviderDay = z.infer<typeof ProviderDay>

/** Another visit of the same patient with the same provider. */
const OtherVisit = z.object({
  id: AppointmentId,
  startsAt: IsoInstant,
  timeZone: z.string(),
  state: VisitState,
  typeOfVisit: VisitType,
  typeName: TypeName,
})

/** Most other visits listed with one; the count gives the total. */
export const MAX_OTHER_VISITS = 10

/** All that its provider may see of a booked visit except its purpose, which is fetched separately. */
export const ProviderVisit = z.object({
  id: AppointmentId,
  reference: Reference,
  /** The server's clock, to tell whether the visit is over. */
  now: IsoInstant,
  state: VisitState,
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  place: z.object({ name: z.string(), address: z.string(), postcode: z.string() }),
  mode: VisitMode,
  /** USA: name of the state the patient said they will be in for a visit by video. */
  patientState: z.nullable(z.string()),
  typeOfVisit: VisitType,
  typeName: TypeName,
  followUpBasis: z.nullable(z.enum(['history', 'self_declared'])),
  hasPurpose: z.boolean(),
  /** Null once the patient has erased the account. */
  patient: z.nullable(
    z.object({
      name: z.string(),
      email: z.string(),
      phone: z.nullable(z.string()),
      /** Whole years today at the place; null when no date of birth is known. */
      age: z.nullable(z.int()),
    }),
  ),
  /** Other visits of this patient with this provider, latest first; empty once the account is erased. */
  others: z.array(OtherVisit),
  otherCount: z.int(),
  paid: Money,
  /** How much of it was refunded, or is being refunded; null when nothing was. */
  refunded: z.nullable(Money),
  /** The refund that would be due if the visit did not take place. */
  refundable: Money,
  marking: Marking,
  paymentMethod: PaymentMethod,
  bookedAt: IsoInstant,
  /** Earliest first. */
  moves: z.array(VisitMove),
  /** Times currently proposed to the patient, and how many proposals are left. */
  proposed: z.nullable(ProposedTimes),
  proposalsLeft: z.int(),
  /** When the patient declined proposed times and kept theirs, earliest first. */
  kept: z.array(IsoInstant),
})
export type ProviderVisit = z.infer<typeof ProviderVisit>

/** Where a provider's own visits are downloaded as a file. */
export const VISITS_EXPORT_PATH = '/download/own-visits'

/** Where a provider's own hours are downloaded as a file. */
export const HOURS_EXPORT_PATH = '/download/own-hours'

/** Most visits in one file. */
export const VISITS_EXPORT_MAX = 20_000

/** Most visits in a calendar file, which other programs read in one go. */
export const CALENDAR_EXPORT_MAX = 4_000

const day = z.optional(z.iso.date({ error: 'date_invalid' }))

export const ExportVisitsInput = z.strictObject({
  /** First day, at the main place; defaults to today. */
  from: day,
  /** Last day, inclusive; defaults to four weeks after the first. */
  to: day,
  format: z._default(z.enum(['csv', 'ics']), 'csv'),
})
export type ExportVisitsInput = z.infer<typeof ExportVisitsInput>

export const ExportHoursInput = z.strictObject({})
