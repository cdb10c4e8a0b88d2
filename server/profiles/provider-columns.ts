import type { Background, CardPart, PublicPart, UpdateAboutInput } from '#contract/base/provider.ts'
import { type Instant, parseJson, toJson } from '#db/columns.ts'
import type { Provider, PublicProvider } from '#db/tables/profiles.ts'
import { erasedAddress } from '#server/kernel/email-address.ts'
import { type Fates, KEPT } from '#server/kernel/personal-columns.ts'

/** Lists of a row that patients and staff read. */
export function backgroundOf(row: Pick<PublicProvider, keyof Background>): Background {
  return {
    qualifications: parseJson(row.qualifications),
    affiliations: parseJson(row.affiliations),
    languages: parseJson(row.languages),
  }
}

/** What a row of the results shows of it. */
export function cardPartOf(row: Pick<PublicProvider, keyof CardPart>): CardPart {
  return { id: row.id, photo: row.photo, languages: parseJson(row.languages) }
}

/** What anybody may see of a provider, without what is computed for the page. */
export function publicPartOf(row: PublicProvider): PublicPart {
  return {
    id: row.id,
    region: row.region,
    photo: row.photo,
    gender: row.gender,
    about: row.about,
    ...backgroundOf(row),
  }
}

/** What providers say about themselves, as it is stored. */
export function aboutColumns(input: UpdateAboutInput) {
  return {
    gender: input.gender ?? null,
    about: input.about,
    qualifications: toJson(input.qualifications),
    ...(input.affiliations !== undefined && { affiliations: toJson(input.affiliations) }),
    languages: toJson<string[]>([...new Set(input.languages)]),
  }
}

/** Of every column: whether its owner's export contains it, and what erasing the account leaves in it. */
export const providerFates: Fates<Provider, { id: string; now: Instant }> = {
  no: ['internal', KEPT],
  id: ['exported', KEPT],
  region: ['exported', KEPT],
  title: ['exported', null],
  first_name: ['exported', 'Former'],
  last_name: ['exported', 'provider'],
  gender: ['exported', null],
  // Addresses are unique, even erased ones.
  email: ['exported', ({ id }) => erasedAddress(id)],
  phone: ['exported', null],
  specialty_no: ['internal', KEPT],
  professional_body: ['exported', KEPT],
  membership_number: ['exported', ''],
  verification_status: ['exported', 'Unverified'],
  verified_at: ['exported', null],
  photo: ['exported', null],
  about: ['exported', ''],
  qualifications: ['exported', '[]'],
  affiliations: ['exported', '[]'],
  languages: ['exported', '[]'],
  offers_in_person: ['internal', KEPT],
  offers_video: ['internal', 0],
  video_link: ['exported', null],
  licensed_states: ['exported', null],
  amount_minor: ['exported', KEPT],
  follow_amount_minor: ['exported', KEPT],
  currency: ['exported', KEPT],
  consultation_minutes: ['exported', KEPT],
  follow_up_policy: ['internal', KEPT],
  free_cancel_hours: ['internal', KEPT],
  late_cancel_percent: ['internal', KEPT],
  no_show_percent: ['internal', KEPT],
  rating_sum: ['internal', KEPT],
  rating_count: ['internal', KEPT],
  created_at: ['exported', KEPT],
  updated_at: ['exported', ({ now }) => now],
}
