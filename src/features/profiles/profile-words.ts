import type { ProviderProfile } from '#contract/search.ts'

/** Shown when a provider has named no speciality (specification, section 3). */
const NO_SPECIALITY = 'No speciality information available'

/** Shown when a provider has no place (specification, section 3). */
export const NO_LOCATION = 'Location not available'

/** The speciality, or the documented words for none. */
export function specialityOf(profile: Pick<ProviderProfile, 'specialty'>): string {
  return profile.specialty.name.trim() || NO_SPECIALITY
}

/** Name and location of the main place, or the documented words for none. */
export function locationOf(profile: Pick<ProviderProfile, 'places'>): string {
  const [place] = profile.places
  if (place === undefined) return NO_LOCATION
  const parts = [place.name, place.locality].map((part) => part.trim()).filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : NO_LOCATION
}
