import * as z from 'zod/mini'
import { ProviderId } from '#contract/base/ids.ts'
import { Currency } from '#contract/base/money.ts'
import { VerificationStatus } from '#contract/base/people.ts'
import { Background, backgroundFields } from '#contract/base/provider.ts'
import { Region } from '#contract/base/region.ts'
import type { ProviderCard, ProviderProfile } from '#contract/search.ts'
import type { StaffProvider } from '#contract/verification-staff.ts'
import { Amount, majorText, wallOf } from '#server/rest/call.ts'

/** A practice location under the documented names. */
const Hospital = z.object({
  hospital_name: z.string(),
  /** Street and town, or only the town when nothing more is available. */
  hospital_location: z.string(),
  postcode: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  time_zone: z.string(),
  phone: z.nullable(z.string()),
})

const fees = {
  /** Fee of a first visit. */
  amount: Amount,
  /** Fee of a follow-up. */
  follow_amount: Amount,
  currency: Currency,
}

/** A free time, in the time zone of the provider's bookings. */
const FreeTime = z.object({
  date: z.string(),
  time: z.string(),
  starts_at: z.string(),
})

/** The documented "doctor details", plus other public fields. */
export const DoctorDetails = z.object({
  _id: ProviderId,
  name: z.string(),
  /** First and last name are shown only to staff who verify providers, for comparison with the register. */
  first_name: z.optional(z.string()),
  last_name: z.optional(z.string()),
  profile_image: z.nullable(z.string()),
  speciality: z.string(),
  ...backgroundFields,
  hospital_details: z.array(Hospital),
  ...fees,
  /** Minutes. */
  consultationTime: z.int(),
  registed_with: z.object({
    professional_body_name: z.string(),
    membership_number: z.string(),
  }),
  verification_status: VerificationStatus,
  region: Region,
  about: z.string(),
  gender: z.nullable(z.string()),
  rating: z.nullable(z.object({ average: z.number(), count: z.int() })),
  next_free: z.nullable(FreeTime),
})

/** The documented provider record, for staff who verify providers. */
export const ProviderRecord = z.object({
  _id: ProviderId,
  name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  profile_image: z.nullable(z.string()),
  speciality: z.string(),
  qualifications: z.array(z.string()),
  registed_with: z.object({
    professional_body_name: z.string(),
    membership_number: z.string(),
  }),
  verification_status: VerificationStatus,
  region: Region,
})

/** One row of the search. */
export const DoctorRow = z.object({
  _id: ProviderId,
  name: z.string(),
  profile_image: z.nullable(z.string()),
  speciality: z.string(),
  hospital_details: z.array(Hospital),
  /** In miles. */
  distance: z.number(),
  ...fees,
  verification_status: VerificationStatus,
  languages: z.array(z.string()),
  rating: z.nullable(z.object({ average: z.number(), count: z.int() })),
  next_free: z.nullable(FreeTime),
  /** Up to four free times from the first two days that have any. */
  free_times: z.array(FreeTime),
})

function freeTime(startsAt: string, timeZone: string): z.infer<typeof FreeTime> {
  return { ...wallOf(startsAt, timeZone), starts_at: startsAt }
}

function hospitalOf({ places }: ProviderProfile): z.infer<typeof Hospital>[] {
  return places.map((place) => ({
    hospital_name: place.name,
    hospital_location: [place.address, place.locality].filter(Boolean).join(', '),
    postcode: place.postcode,
    latitude: place.latitude,
    longitude: place.longitude,
    time_zone: place.timeZone,
    phone: place.phone,
  }))
}

/** A profile under the documented names. */
export function doctorDetails(
  profile: ProviderProfile,
  verification_status: VerificationStatus = 'Verified',
): z.infer<typeof DoctorDetails> {
  const zone = profile.places[0]?.timeZone ?? 'UTC'
  return {
    _id: profile.id,
    name: profile.name,
    profile_image: profile.photo,
    speciality: profile.specialty.name,
    ...Background.parse(profile),
    hospital_details: hospitalOf(profile),
    amount: majorText(profile.fee),
    follow_amount: majorText(profile.followUpFee),
    currency: profile.fee.currency,
    consultationTime: profile.consultationMinutes,
    registed_with: {
      professional_body_name: profile.registration.body,
      membership_number: profile.registration.number,
    },
    verification_status,
    region: profile.region,
    about: profile.about,
    gender: profile.gender,
    rating: profile.rating,
    next_free: profile.nextFree === null ? null : freeTime(profile.nextFree, zone),
  }
}

/** A provider as staff see them, under the documented names. */
export function providerRecord(record: StaffProvider): z.infer<typeof ProviderRecord> {
  return {
    _id: record.providerId,
    name: record.name,
    first_name: record.first_name,
    last_name: record.last_name,
    profile_image: record.photo,
    speciality: record.specialty,
    qualifications: record.qualifications,
    registed_with: {
      professional_body_name: record.professional_body_name,
      membership_number: record.membership_number ?? '',
    },
    verification_status: record.verification_status,
    region: record.region,
  }
}

/** A card of the results under the documented names. */
export function doctorRow(card: ProviderCard): z.infer<typeof DoctorRow> {
  // Holds interpret day and time in the time zone of the main practice location.
  const zone = card.mainZone ?? card.place.timeZone
  const { name, locality, postcode, latitude, longitude, timeZone } = card.place
  return {
    _id: card.id,
    name: card.name,
    profile_image: card.photo,
    speciality: card.specialty.name,
    hospital_details: [
      {
        hospital_name: name,
        hospital_location: locality,
        postcode,
        latitude,
        longitude,
        time_zone: timeZone,
        phone: null,
      },
    ],
    distance: card.distance,
    amount: majorText(card.fee),
    follow_amount: majorText(card.followUpFee),
    currency: card.fee.currency,
    verification_status: 'Verified',
    languages: card.languages,
    rating: card.rating,
    next_free: card.nextFree === null ? null : freeTime(card.nextFree, zone),
    free_times: card.days
      .flatMap(({ slots }) => slots)
      .map(({ startsAt }) => freeTime(startsAt, zone)),
  }
}
