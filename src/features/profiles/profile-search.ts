import { readDate, readFold, readTime } from '#app/lib/dates/slot-choice.ts'
import { readDistance } from '#app/lib/format/places.ts'
import { VisitTypeId } from '#contract/base/ids.ts'
import { Region } from '#contract/base/region.ts'
import { type ProviderProfile, VisitMode } from '#contract/search.ts'

/** URL query parameters of a profile: the region, and the chosen time in the clinic's local time. */
export type ProfileSearch = {
  region?: Region | undefined
  date?: string | undefined
  time?: string | undefined
  /** The second of two equal times, when clocks go back. */
  fold?: 1 | undefined
  /** The visit type; the first one if omitted. */
  type?: VisitTypeId | undefined
  /** In person or by video; the type's first mode if omitted. */
  mode?: VisitMode | undefined
}

/** Reads any query parameters; invalid ones count as absent. A time needs its date. */
export function readProfileSearch(raw: Record<string, unknown>): ProfileSearch {
  const region = Region.safeParse(raw['region'])
  const date = readDate(raw['date'])
  const time = date === undefined ? undefined : readTime(raw['time'])
  // Every key is returned: the router passes on missing ones unparsed.
  const type = VisitTypeId.safeParse(raw['type'])
  const mode = VisitMode.safeParse(raw['mode'])
  return {
    region: region.success ? region.data : undefined,
    date,
    time,
    fold: time === undefined ? undefined : readFold(raw['fold']),
    type: type.success ? type.data : undefined,
    mode: mode.success ? mode.data : undefined,
  }
}

/** URL query parameters of the checkout: also the distance, for the way back, and the step. */
export type AppointmentSearch = ProfileSearch & {
  distance?: string | undefined
  /** The first step if omitted. */
  step?: 2 | 3 | undefined
}

function readStep(value: unknown): 2 | 3 | undefined {
  const step = Number(value)
  return step === 2 || step === 3 ? step : undefined
}

/** Reads the checkout's query parameters; invalid ones count as absent. */
export function readAppointmentSearch(raw: Record<string, unknown>): AppointmentSearch {
  const given = raw['distance']
  const text = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
  const distance = readDistance(text) === null ? undefined : text
  return { ...readProfileSearch(raw), distance, step: readStep(raw['step']) }
}

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
