import type { Background, CardPart, PublicPart, UpdateAboutInput } from '#contract/base/provider.ts'
import { type Instant, parseJson, toJson } from '#db/columns.ts'
import type { Provider, PublicProvider } from '#db/tables/profiles.ts'
import { erasedAddress } from '#server/kernel/email-address.ts'

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

type Erased = { id: string; now: Instant }

/** A value that erasing the account leaves as it is: the visits of others need it, or it names nobody. */
const KEPT = Symbol('kept')

type Fate<Value> = readonly [
  inExport: 'exported' | 'internal',
  erased: Value | typeof KEPT | ((of: Erased) => Value),
]

/** Of every column: whether its owner's export contains it, and what erasing the account leaves in it. */
const fates: { readonly [Column in keyof Provider]: Fate<Provider[Column]> } = {
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

const exported = new Set(
  Object.entries(fates).flatMap(([name, [where]]) => (where === 'exported' ? [name] : [])),
)

/** What the owner's export contains of their row. */
export function exportedPartOf(row: Provider): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => exported.has(name)))
}

/** What erasing the account writes. */
export function erasedColumns(of: Erased): Partial<Provider> {
  const written = Object.entries(fates).flatMap(([name, [, erased]]) => {
    if (erased === KEPT) return []
    return [[name, typeof erased === 'function' ? erased(of) : erased] as const]
  })
  return Object.fromEntries(written)
}
