import type { Generated, Selectable } from 'kysely'
import type { Gender, ProfessionalBody, VerificationStatus } from '#contract/base/people.ts'
import type { Region } from '#contract/base/region.ts'
import type { Flag, Instant, Json, MinorUnits } from '#db/columns.ts'

export interface ProviderRow {
  /** Compact key for internal use. Never leaves the server. */
  no: Generated<number>
  id: string
  region: Region
  /** "Dr" or null; part of the displayed name, not of the register's. */
  title: string | null
  first_name: string
  last_name: string
  gender: Gender | null
  email: string
  phone: string | null
  /** Key of `specialties` in db/reference. */
  specialty_no: number
  professional_body: ProfessionalBody
  membership_number: string
  verification_status: VerificationStatus
  verified_at: Instant | null
  /** Root-relative `/media/<hash>.webp`. */
  photo: string | null
  about: string
  qualifications: Json<string[]>
  /** Societies they belong to. */
  affiliations: Generated<Json<string[]>>
  /** Codes of contract/base/people.ts. */
  languages: Json<string[]>
  offers_in_person: Flag
  /** Set only while video visits are possible: by a link of the provider's, or a video server of ours. */
  offers_video: Flag
  /** https URL of the provider's video room; null for rooms on our server. Disclosed only on joining. */
  video_link: string | null
  /** US states whose patients they may see by video; null for those of their places. */
  licensed_states: Json<string[]> | null
  /** Fee of a first visit. */
  amount_minor: MinorUnits
  /** Fee of a follow-up. */
  follow_amount_minor: MinorUnits
  currency: 'GBP' | 'USD'
  consultation_minutes: number
  /** Whether a claimed follow-up is believed or needs an earlier completed visit here. */
  follow_up_policy: 'trust' | 'require_history'
  /** Cancelling is free until this many hours before the visit. */
  free_cancel_hours: number
  /** Share of the fee kept for a later cancellation. */
  late_cancel_percent: number
  /** Share of the fee kept for not coming; never less than for cancelling late. */
  no_show_percent: number
  /** Sum of overall stars, so that a new review is one addition. */
  rating_sum: number
  rating_count: number
  created_at: Instant
  updated_at: Instant
}

export type Provider = Selectable<ProviderRow>

/** What anybody may see of a Verified provider. Nothing else of the row reaches a public page. */
export const PUBLIC_COLUMNS = [
  'id',
  'region',
  'title',
  'first_name',
  'last_name',
  'gender',
  'specialty_no',
  'photo',
  'about',
  'qualifications',
  'affiliations',
  'languages',
  'offers_in_person',
  'offers_video',
  'professional_body',
  'membership_number',
  'verified_at',
  'amount_minor',
  'follow_amount_minor',
  'currency',
  'consultation_minutes',
  'free_cancel_hours',
  'late_cancel_percent',
  'rating_sum',
  'rating_count',
] as const satisfies readonly (keyof ProviderRow)[]

export type PublicProvider = Pick<Provider, (typeof PUBLIC_COLUMNS)[number]>

export interface PlaceRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** 0 is the main place; negative for removed places. */
  position: number
  /** `hospital_name` of the specification. */
  name: string
  address: string
  locality: string
  postcode: string
  latitude: number
  longitude: number
  /** IANA zone, fixed when the place is written. */
  time_zone: string
  phone: string | null
  /** When the provider removed it. The row stays for visits booked there. */
  removed_at: Instant | null
}

/** A person's choice in the cookie banner. */
export interface ConsentRow {
  /** `consentID`, made by the browser. */
  id: string
  preferences: Flag
  statistics: Flag
  account_no: number | null
  created_at: Instant
  updated_at: Instant
}

/** A provider saved by a patient. */
export interface FavouriteRow {
  account_no: number
  provider_no: number
  created_at: Instant
}

/**
 * A type of visit that a provider offers, with its length and fees. Every provider has at least one that is
 * not archived; the search shows the first of those, from a copy in `providers`.
 */
export interface VisitTypeRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** Ascending order among the provider's types; gaps are possible. */
  position: number
  name: string
  minutes: number
  /** Fee for a new patient. */
  first_minor: MinorUnits
  /** Fee of a follow-up. */
  follow_minor: MinorUnits
  /** The provider's modes in which this type is offered; `both` stands for all of them. */
  mode: 'in_person' | 'video' | 'both'
  /** The only place where it is offered; null is every place. */
  place_no: number | null
  /** When it was archived: it cannot be booked since then. */
  archived_at: Instant | null
}

export interface ProfilesTables {
  providers: ProviderRow
  places: PlaceRow
  consents: ConsentRow
  favourites: FavouriteRow
  visit_types: VisitTypeRow
}
