import * as z from 'zod/mini'
import { PaymentMethod, TypeName, VisitMove, VisitState, VisitType } from './booking.ts'
import { DeskKind } from './booking-desk.ts'
import { ProposedTimes } from './booking-proposed.ts'
import { AppointmentId, PlaceId, Reference, VisitId, VisitTypeId } from './ids.ts'
import { Money } from './money.ts'
import { Marking } from './outcomes.ts'
import { FreeDay, VisitMode } from './search.ts'
import { IsoDate, IsoInstant } from './time.ts'

/** A visit as its provider sees it, booked or put in at the desk. What it is for is told on asking only. */
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
  /** How a visit put in at the desk came about; null for one that was booked and paid for. */
  desk: z.nullable(DeskKind),
  /** Null at the desk: nothing is charged there. */
  typeOfVisit: z.nullable(VisitType),
  typeName: TypeName,
  /** Why the follow-up fee was granted: an earlier visit here, or the patient's own word. */
  followUpBasis: z.nullable(z.enum(['history', 'self_declared'])),
  /** What it is for, or the note of the desk. */
  hasPurpose: z.boolean(),
  marking: Marking,
})
export type DayVisit = z.infer<typeof DayVisit>

/** A visit in a provider's calendar. */
export const WeekVisit = z.object({
  ...DayVisit.shape,
  placeId: PlaceId,
  /** Its type, whose times it can be moved to; null at the desk and for visits older than types. */
  typeId: z.nullable(VisitTypeId),
  /** Null when none is known, or no longer. */
  phone: z.nullable(z.string()),
})
export type WeekVisit = z.infer<typeof WeekVisit>

/** A provider's visits of some days, by the clock of their places. */
export const ProviderWeek = z.object({
  /** The server's clock. */
  now: IsoInstant,
  /** The provider works at more than one place, so that times name theirs. */
  hasManyPlaces: z.boolean(),
  /** Confirmed ones, in the order of the clock. */
  visits: z.array(WeekVisit),
})
export type ProviderWeek = z.infer<typeof ProviderWeek>

/** A provider's visits of today. */
export const ProviderDay = z.object({
  /** The server's clock: what is over and what goes on now. */
  now: IsoInstant,
  /** Today at the main place. */
  date: IsoDate,
  timeZone: z.string(),
  /** The provider works at more than one place, so that times name theirs. */
  hasManyPlaces: z.boolean(),
  /** Confirmed ones, in the order of the clock. */
  visits: z.array(DayVisit),
  /** The first one after today. */
  next: z.nullable(DayVisit),
  /** The next two days with free times, at most four of each. */
  free: z.array(FreeDay),
})
export type ProviderDay = z.infer<typeof ProviderDay>

/** Another visit of the same patient at the same provider's. */
const OtherVisit = z.object({
  id: AppointmentId,
  startsAt: IsoInstant,
  timeZone: z.string(),
  state: VisitState,
  typeOfVisit: VisitType,
  typeName: TypeName,
})

/** Other visits that are listed with one; the count says how many there are. */
export const MOST_OTHER_VISITS = 10

/** Everything its provider may know of a booked visit, but what it is for, which is asked for apart. */
export const ProviderVisit = z.object({
  id: AppointmentId,
  reference: Reference,
  /** The server's clock: whether it is over. */
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
  /** Of this patient at this provider's, latest first; none once the account is erased. */
  others: z.array(OtherVisit),
  otherCount: z.int(),
  paid: Money,
  /** How much of it went back, or is on its way; null when nothing did. */
  refunded: z.nullable(Money),
  /** What would go back if the visit did not take place. */
  refundable: Money,
  marking: Marking,
  paymentMethod: PaymentMethod,
  bookedAt: IsoInstant,
  /** Earliest first. */
  moves: z.array(VisitMove),
  /** What the patient is asked at this moment, and how often they may still be. */
  proposed: z.nullable(ProposedTimes),
  proposalsLeft: z.int(),
  /** When the patient turned proposed times down and kept theirs, earliest first. */
  kept: z.array(IsoInstant),
})
export type ProviderVisit = z.infer<typeof ProviderVisit>
