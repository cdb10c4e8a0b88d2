import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { likeliestNamesake, type NamedPlace } from './names.ts'
import { LONDON, placeKey, UK_COUNTRIES } from './place-names.ts'
import type { Namesake } from './store.ts'

/** A place this many times larger than its next namesake is meant: no others are offered. */
const DOMINANT_FACTOR = 50

/** Assumed for a village, whose population is unknown. */
const VILLAGE_RANK = 200

/** Most namesakes to offer. */
const MAX_OTHERS = 5

/**
 * Labels of other places of the same name that may be meant, by rank; none when the
 * place is so much larger than all of them that it must be meant.
 */
export function otherPlaces({ place, twins }: NamedPlace): string[] {
  const others = twins.filter(({ id }) => id !== place.id)
  const isMeant = others.every(({ rank }) => place.rank >= DOMINANT_FACTOR * (rank || VILLAGE_RANK))
  if (isMeant) return []
  const labels = others.map((twin) => labelOf(twin, twins))
  return [...new Set(labels)].filter((one) => one !== labelOf(place, twins)).slice(0, MAX_OTHERS)
}

/** Name of a place with just enough after it to tell it from its namesakes, and to find it when typed. */
export function labelOf(place: GeoPlaceRow, twins: readonly Namesake[]): string {
  const sameAdmin = twins.find((twin) => twin.admin === place.admin)
  const isFirstThere = sameAdmin === undefined || sameAdmin.id === place.id
  if (place.region === 'usa') {
    return isFirstThere
      ? `${place.name}, ${place.admin}`
      : `${place.name}, ${place.admin} ${place.near}`
  }
  const first = likeliestNamesake(twins, place)
  // A longer name tells a place from those of the short one.
  if (first === undefined || first.id === place.id || twins[0]?.key !== placeKey(place.name))
    return place.name
  if (isFirstThere) return `${place.name}, ${UK_COUNTRIES[place.admin] ?? place.admin_name}`
  return `${place.name}, ${townOf(place, twins) ?? place.near}`
}

/** The town by which a place is told from its namesakes, unless one of them is as close to it. */
function townOf(place: GeoPlaceRow, twins: readonly Namesake[]): string | undefined {
  const townFor = ({ admin_name, town }: Namesake) => (admin_name === LONDON ? LONDON : town)
  const own = twins.find(({ id }) => id === place.id)
  const town = (own && townFor(own)) ?? ''
  const isShared = twins.some((twin) => twin.id !== place.id && townFor(twin) === town)
  return town === '' || isShared || placeKey(town) === place.key ? undefined : town
}
