import type { Generated } from 'kysely'
import type { Gender, ProfessionalBody, VerificationStatus } from '#contract/people.ts'
import type { Region } from '#contract/region.ts'
import type { Flag, Instant, Json, MinorUnits } from '#db/columns.ts'

export interface ProviderRow {
  /** Compact key inside the database: slots and index rows are many. Never leaves the server. */
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
  /** Codes of contract/languages.ts. */
  languages: Json<string[]>
  offers_in_person: Flag
  /** Set only while there is a way: a link of their own, or a video server of ours. */
  offers_video: Flag
  /** Where they hold visits by video, https; null for rooms on a server of ours. Told at joining only. */
  video_link: string | null
  /** US states whose patients they may see by video; null for those of their places. */
  licensed_states: Json<string[]> | null
  /** First visit. */
  amount_minor: MinorUnits
  /** Follow-up. */
  follow_amount_minor: MinorUnits
  currency: 'GBP' | 'USD'
  consultation_minutes: number
  /** Whether a claimed follow-up is believed or needs an earlier completed visit here. */
  follow_up_policy: 'trust' | 'require_history'
  /** Cancelling is free until this many hours before the visit… */
  free_cancel_hours: number
  /** …and then costs this share of the fee. */
  late_cancel_percent: number
  /** Not coming costs this share of the fee; never less than cancelling late. */
  no_show_percent: number
  /** Sum of overall stars, so that a new review is one addition. */
  rating_sum: number
  rating_count: number
  created_at: Instant
  updated_at: Instant
}

export interface PlaceRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** 0 is the main place; below 0 are those that were left. */
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
  /** When the provider left it. The row stays for the visits that were booked there. */
  removed_at: Instant | null
}

/** What a person answered to the cookie banner. */
export interface ConsentRow {
  /** `consentID`, made by the browser. */
  id: string
  preferences: Flag
  statistics: Flag
  account_no: number | null
  created_at: Instant
  updated_at: Instant
}

/** A provider that a patient has saved. */
export interface FavouriteRow {
  account_no: number
  provider_no: number
  created_at: Instant
}

/**
 * A kind of visit that a provider offers, with its length and fees. Everybody has one that is not
 * archived; the first of those is what the search shows, which reads a copy in `providers`.
 */
export interface VisitTypeRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** Order among those of the provider, ascending; not without gaps. */
  position: number
  name: string
  minutes: number
  /** Of a new patient. */
  first_minor: MinorUnits
  /** Of a follow-up. */
  follow_minor: MinorUnits
  /** Which of the ways in which the provider sees patients; `both` is whichever they offer. */
  mode: 'in_person' | 'video' | 'both'
  /** The only place where it is offered; null is every place. */
  place_no: number | null
  /** Nobody can book it any more since then. */
  archived_at: Instant | null
}

export interface ProfilesTables {
  providers: ProviderRow
  places: PlaceRow
  consents: ConsentRow
  favourites: FavouriteRow
  visit_types: VisitTypeRow
}
