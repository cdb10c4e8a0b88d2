import { type OwnProfile, Title, type VisitTypeMode } from '#contract/profiles-own.ts'
import type { VisitMode } from '#contract/search.ts'
import { parseJson } from '#db/columns.ts'
import { specialties } from '#db/reference/specialties.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'
import { AppError } from '#server/kernel/errors.ts'

/** The stored number of a specialty; throws `specialty_unknown` for an unknown name. */
export function specialtyNo(slug: string): number {
  const entry = specialties.find((one) => one.slug === slug)
  if (entry === undefined) throw new AppError('specialty_unknown')
  return entry.no
}

/** The title of a row; null also for one that is on no list. */
export function titleOf(provider: Pick<ProviderRow, 'title'>): OwnProfile['title'] {
  return Title.options.find((title) => title === provider.title) ?? null
}

export function modesOf(provider: Pick<ProviderRow, 'offers_in_person' | 'offers_video'>) {
  const modes: VisitMode[] = []
  if (provider.offers_in_person === 1) modes.push('in_person')
  if (provider.offers_video === 1) modes.push('video')
  return modes
}

type ProfileFields = Pick<ProviderRow, 'about' | 'qualifications' | 'languages' | 'photo'> &
  Pick<ProviderRow, 'verification_status'>

/** What a profile still needs before patients find it, and what makes it better. */
export function profileSteps(
  provider: ProfileFields,
  has: { place: boolean; hours: boolean },
): OwnProfile['steps'] {
  const isTold =
    provider.about.trim() !== '' &&
    parseJson<string[]>(provider.qualifications).length > 0 &&
    parseJson<string[]>(provider.languages).length > 0
  return [
    { key: 'about', isDone: isTold, isRequired: true },
    { key: 'place', isDone: has.place, isRequired: true },
    { key: 'hours', isDone: has.hours, isRequired: true },
    { key: 'photo', isDone: provider.photo !== null, isRequired: false },
    { key: 'verified', isDone: provider.verification_status === 'Verified', isRequired: true },
  ]
}

/** Whether the facts checked against the register are unchanged: otherwise a new check is needed. */
export function isSameClaim(
  before: Pick<
    ProviderRow,
    'first_name' | 'last_name' | 'specialty_no' | 'professional_body' | 'membership_number'
  >,
  after: typeof before,
): boolean {
  return (
    before.first_name === after.first_name &&
    before.last_name === after.last_name &&
    before.specialty_no === after.specialty_no &&
    before.professional_body === after.professional_body &&
    before.membership_number === after.membership_number
  )
}

/** Whether visits of a type can take place for a provider who offers these modes. */
export function isBookableIn(modes: readonly VisitMode[], type: { mode: VisitTypeMode }): boolean {
  return type.mode === 'both' ? modes.length > 0 : modes.includes(type.mode)
}
