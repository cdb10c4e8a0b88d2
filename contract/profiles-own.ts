import * as z from 'zod/mini'
import { PlaceId, ProviderId, VisitId, VisitTypeId } from './base/ids.ts'
import { noLink } from './base/links.ts'
import { VerificationStatus } from './base/people.ts'
import { nameFields, withNames } from './base/person-names.ts'
import { Phone } from './base/phones.ts'
import { publicFields } from './base/provider.ts'
import type { Region } from './base/region.ts'
import { requiredLine } from './base/required-line.ts'
import { IsoInstant } from './base/time.ts'
import { UsState } from './base/us-states.ts'
import { practiceFields, priceFields, Registration } from './profiles.ts'
import { OfferedVisitType, SpecialtySlug, VisitMode } from './search.ts'
import { VideoLink } from './visits-video.ts'

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
  name: requiredLine('Enter a name, such as “New patient check-up”.', 60).check(noLink),
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

/** Titles a name may have, by region. */
export const titlesOf = {
  uk: ['Dr', 'Mr', 'Mrs', 'Ms', 'Miss', 'Mx', 'Prof'],
  usa: ['Dr.', 'Mr.', 'Mrs.', 'Ms.', 'Mx.', 'Prof.'],
} as const satisfies Record<Region, readonly string[]>

export const Title = z.enum([...titlesOf.uk, ...titlesOf.usa], {
  error: 'Choose one of the titles.',
})
export type Title = z.infer<typeof Title>

/** Practice places one provider may have at a time. */
export const MAX_PLACES = 6

/** Whether a claimed follow-up is trusted, or needs an earlier completed visit here. */
const FollowUpPolicy = z.enum(['trust', 'require_history'])

const OwnPlace = z.object({
  id: PlaceId,
  hospital_name: z.string(),
  address: z.string(),
  locality: z.string(),
  postcode: z.string(),
  phone: z.nullable(z.string()),
  timeZone: z.string(),
  /** The zone that its postcode or ZIP code has, which the provider may have corrected. */
  codeTimeZone: z.string(),
  isMain: z.boolean(),
  /** Upcoming visits booked there. */
  comingVisits: z.int(),
})
export type OwnPlace = z.infer<typeof OwnPlace>

/** The parts of a profile, in the order in which they are filled in. */
const ProfileStepKey = z.enum(['about', 'place', 'hours', 'photo', 'verified'])
export type ProfileStepKey = z.infer<typeof ProfileStepKey>

/** A profile as its owner edits it. Money in pence or cents. */
export const OwnProfile = z.object({
  ...publicFields,
  title: z.nullable(Title),
  first_name: z.string(),
  last_name: z.string(),
  /** As patients see it: "Dr Ada Lovelace". */
  shownName: z.string(),
  specialty: SpecialtySlug,
  registed_with: z.object({ professional_body_name: z.string(), membership_number: z.string() }),
  verification_status: VerificationStatus,
  verifiedAt: z.nullable(IsoInstant),
  currency: z.enum(['GBP', 'USD']),
  amount: z.int(),
  follow_amount: z.int(),
  consultation_minutes: z.int(),
  /** In the provider's order, archived ones last. The fees and the length above are the first type's. */
  visitTypes: z.array(OwnVisitType),
  modes: z.array(VisitMode),
  /** The provider's own video room; null where we create a room for each visit. */
  video_link: z.nullable(z.string()),
  /** Host of the server on which we create rooms; null where there is none. */
  videoServer: z.nullable(z.string()),
  /** USA: states whose patients they may see by video, by default those of their places. */
  licensed_states: z.array(z.string()),
  follow_up_policy: FollowUpPolicy,
  free_cancel_hours: z.int(),
  late_cancel_percent: z.int(),
  no_show_percent: z.int(),
  places: z.array(OwnPlace),
  /** Patients find a profile once every step that is required is done. */
  steps: z.array(z.object({ key: ProfileStepKey, isDone: z.boolean(), isRequired: z.boolean() })),
  /** Whether we know where to pay them. */
  hasBankAccount: z.boolean(),
})
export type OwnProfile = z.infer<typeof OwnProfile>

const HOURS = 'Enter between 0 and 336 hours.'
const PERCENT = 'Enter between 0 and 100 percent.'

const Percent = z
  .int({ error: PERCENT })
  .check(z.minimum(0, { error: PERCENT }), z.maximum(100, { error: PERCENT }))

type CancellationPercents = { late_cancel_percent: number; no_show_percent?: number | undefined }

/** Cancelling late must not cost more than not coming. */
const lateWithinNoShow = z.superRefine<CancellationPercents>((input, context) => {
  const { late_cancel_percent: late, no_show_percent: noShow } = input
  if (noShow === undefined || noShow >= late) return
  const message = 'Enter at least as much as for late cancellation.'
  context.addIssue({ code: 'custom', path: ['no_show_percent'], message })
})

export const UpdateOfferInput = z
  .strictObject({
    /** Those of the first visit type; unchanged when left out. */
    amount: z.optional(priceFields.amount),
    follow_amount: z.optional(priceFields.follow_amount),
    consultation_minutes: z.optional(priceFields.consultation_minutes),
    modes: z
      .array(VisitMode)
      .check(z.minLength(1, { error: 'Choose at least one way to see patients.' })),
    /** Null for rooms of ours; unchanged when left out. */
    video_link: z.optional(z.nullable(VideoLink)),
    /** USA only; unchanged when left out. */
    licensed_states: z.optional(z.array(UsState).check(z.maxLength(60))),
    follow_up_policy: FollowUpPolicy,
    /** Cancelling is free until this many hours before a visit. */
    free_cancel_hours: z
      .int({ error: HOURS })
      .check(z.minimum(0, { error: HOURS }), z.maximum(336, { error: HOURS })),
    /** A later cancellation costs this share of the fee. */
    late_cancel_percent: Percent,
    /** A missed visit costs this share; unchanged when left out. */
    no_show_percent: z.optional(Percent),
  })
  .check(lateWithinNoShow)
export type UpdateOfferInput = z.infer<typeof UpdateOfferInput>

/** What is compared with the register. Any change has to be checked again. */
export const UpdateIdentityInput = withNames(
  z.strictObject({
    title: z.nullable(Title),
    ...nameFields,
    specialty: SpecialtySlug,
    registed_with: Registration,
    /** The provider has seen that the profile leaves the search until it is checked again. */
    confirmed: z._default(z.boolean(), false),
  }),
)
export type UpdateIdentityInput = z.infer<typeof UpdateIdentityInput>

const placeFields = { ...practiceFields, phone: z.optional(Phone) }

export const AddPlaceInput = z.strictObject(placeFields)
export type AddPlaceInput = z.infer<typeof AddPlaceInput>

export const EditPlaceInput = z.strictObject({ placeId: PlaceId, ...placeFields })
export type EditPlaceInput = z.infer<typeof EditPlaceInput>

export const RemovePlaceInput = z.strictObject({
  placeId: PlaceId,
  /** The provider has seen how many visits are booked there: they stay. */
  confirmed: z._default(z.boolean(), false),
})
export type RemovePlaceInput = z.infer<typeof RemovePlaceInput>

export const PlaceRef = z.strictObject({ placeId: PlaceId })
export type PlaceRef = z.infer<typeof PlaceRef>

export const PlaceZoneInput = z.strictObject({
  placeId: PlaceId,
  /** IANA name, one of the region's: `timeZonesOf`. */
  timeZone: z.string().check(z.maxLength(60)),
})
export type PlaceZoneInput = z.infer<typeof PlaceZoneInput>

/** What another zone of a place changes. Instants of visits stay as they are. */
export const PlaceZoneChange = z.object({
  from: z.string(),
  to: z.string(),
  /** Whether weekly hours are set there: they stay as entered, by the new clock. */
  hours: z.boolean(),
  /** Imported appointments that have not ended, at whatever place: they keep their instants. */
  importedTimes: z.int(),
  /** Visits there whose local time will be another one, earliest first. */
  visits: z.array(
    z.object({
      id: VisitId,
      /** For a desk visit, whether the patient phoned or walked in. */
      patient: z.string(),
      startsAt: IsoInstant,
      /** The zone it is shown in now. */
      timeZone: z.string(),
      /** It will lie outside the hours there, or in time off. */
      leavesHours: z.boolean(),
    }),
  ),
})
export type PlaceZoneChange = z.infer<typeof PlaceZoneChange>

export const ChangePlaceZoneInput = z.strictObject({
  placeId: PlaceId,
  timeZone: z.string().check(z.maxLength(60)),
  /** Ids of the visits that were listed; another one that reads differently is `changed_meanwhile`. */
  confirmed: z.array(VisitId).check(z.maxLength(1_000)),
})
export type ChangePlaceZoneInput = z.infer<typeof ChangePlaceZoneInput>
