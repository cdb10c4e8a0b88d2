import * as z from 'zod/mini'
import { PlaceId, ProviderId } from './ids.ts'
import { Gender, PersonName, Phone, VerificationStatus } from './people.ts'
import { aboutFields, practiceFields, priceFields, Registration } from './profiles.ts'
import { OwnVisitType } from './profiles-types.ts'
import { Region } from './region.ts'
import { SpecialtySlug, VisitMode } from './search.ts'
import { IsoInstant } from './time.ts'
import { UsState } from './us-states.ts'
import { VideoLink } from './visits-video.ts'

/** What may stand before a name, as each region writes it. */
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

/** A claimed follow-up is believed, or needs an earlier completed visit here. */
const FollowUpPolicy = z.enum(['trust', 'require_history'])

const OwnPlace = z.object({
  id: PlaceId,
  hospital_name: z.string(),
  address: z.string(),
  locality: z.string(),
  postcode: z.string(),
  phone: z.nullable(z.string()),
  timeZone: z.string(),
  isMain: z.boolean(),
  /** Visits booked there that are still to come. */
  comingVisits: z.int(),
})
export type OwnPlace = z.infer<typeof OwnPlace>

/** What a profile is made of, in the order in which to fill it in. */
const ProfileStepKey = z.enum(['about', 'place', 'hours', 'photo', 'verified'])
export type ProfileStepKey = z.infer<typeof ProfileStepKey>

/** A profile as its owner edits it. Money in pence or cents. */
export const OwnProfile = z.object({
  id: ProviderId,
  region: Region,
  title: z.nullable(Title),
  first_name: z.string(),
  last_name: z.string(),
  /** As patients see it: "Dr Ada Lovelace". */
  shownName: z.string(),
  specialty: SpecialtySlug,
  registed_with: z.object({ professional_body_name: z.string(), membership_number: z.string() }),
  verification_status: VerificationStatus,
  verifiedAt: z.nullable(IsoInstant),
  photo: z.nullable(z.string()),
  gender: z.nullable(Gender),
  about: z.string(),
  qualifications: z.array(z.string()),
  languages: z.array(z.string()),
  currency: z.enum(['GBP', 'USD']),
  amount: z.int(),
  follow_amount: z.int(),
  consultation_minutes: z.int(),
  /** In their order, archived ones last. The fees and the length above are those of the first. */
  visitTypes: z.array(OwnVisitType),
  modes: z.array(VisitMode),
  /** Their own room for visits by video; null where we give each visit one. */
  video_link: z.nullable(z.string()),
  /** Host of the server on which we give visits a room; null where there is none. */
  videoServer: z.nullable(z.string()),
  /** USA: states whose patients they may see by video, at first those of their places. */
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

export const UpdateAboutInput = z.strictObject(aboutFields)
export type UpdateAboutInput = z.infer<typeof UpdateAboutInput>

const HOURS = 'Enter between 0 and 336 hours.'
const PERCENT = 'Enter between 0 and 100 percent.'

const Percent = z
  .int({ error: PERCENT })
  .check(z.minimum(0, { error: PERCENT }), z.maximum(100, { error: PERCENT }))

type Shares = { late_cancel_percent: number; no_show_percent?: number | undefined }

/** Nobody pays more for saying so than for not coming. */
const lateWithinNoShow = z.superRefine<Shares>((input, context) => {
  const { late_cancel_percent: late, no_show_percent: noShow } = input
  if (noShow === undefined || noShow >= late) return
  const message = 'Enter at least as much as for late cancellation.'
  context.addIssue({ code: 'custom', path: ['no_show_percent'], message })
})

export const UpdateOfferInput = z
  .strictObject({
    ...priceFields,
    modes: z
      .array(VisitMode)
      .check(z.minLength(1, { error: 'Choose at least one way to see patients.' })),
    /** Null for rooms of ours; left out it stays as it is. */
    video_link: z.optional(z.nullable(VideoLink)),
    /** USA; left out they stay as they are. */
    licensed_states: z.optional(z.array(UsState).check(z.maxLength(60))),
    follow_up_policy: FollowUpPolicy,
    /** Cancelling is free until so many hours before a visit… */
    free_cancel_hours: z
      .int({ error: HOURS })
      .check(z.minimum(0, { error: HOURS }), z.maximum(336, { error: HOURS })),
    /** …and costs this share of the fee afterwards. */
    late_cancel_percent: Percent,
    /** Not coming costs this share; left out it stays as it is. */
    no_show_percent: z.optional(Percent),
  })
  .check(lateWithinNoShow)
export type UpdateOfferInput = z.infer<typeof UpdateOfferInput>

/** What the register is asked about. A change of it has to be checked again. */
export const UpdateIdentityInput = z.strictObject({
  title: z.nullable(Title),
  first_name: PersonName('Enter your first name.'),
  last_name: PersonName('Enter your last name.'),
  specialty: SpecialtySlug,
  registed_with: Registration,
  /** Seen that the profile leaves the search until it has been checked again. */
  confirmed: z._default(z.boolean(), false),
})
export type UpdateIdentityInput = z.infer<typeof UpdateIdentityInput>

const placeFields = { ...practiceFields, phone: z.optional(Phone) }

export const AddPlaceInput = z.strictObject(placeFields)
export type AddPlaceInput = z.infer<typeof AddPlaceInput>

export const EditPlaceInput = z.strictObject({ placeId: PlaceId, ...placeFields })
export type EditPlaceInput = z.infer<typeof EditPlaceInput>

export const RemovePlaceInput = z.strictObject({
  placeId: PlaceId,
  /** Seen how many visits are booked there: they stay. */
  confirmed: z._default(z.boolean(), false),
})
export type RemovePlaceInput = z.infer<typeof RemovePlaceInput>

export const PlaceRef = z.strictObject({ placeId: PlaceId })
export type PlaceRef = z.infer<typeof PlaceRef>
