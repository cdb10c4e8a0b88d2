import { useSyncExternalStore } from 'react'
import type { Region } from '#contract/region.ts'
import { readStored, writeStored } from './storage.ts'

/** Longer than any postcode or place name in the server's responses. */
const MAX_LENGTH = 80

const keyOf = (region: Region) => `lastPlace_${region}`

/** Stores the place of the last shown results, as its field accepts it, in this browser only. */
export function saveLastPlace(region: Region, place: string): void {
  if (place !== '' && place.length <= MAX_LENGTH) writeStored(keyOf(region), place)
}

/** The place searched last in a region; null before there is one. */
function lastPlace(region: Region): string | null {
  const stored = readStored(keyOf(region))
  return stored === '' || (stored?.length ?? 0) > MAX_LENGTH ? null : stored
}

const subscribeToNothing = () => () => {}

/** `lastPlace`, without subscribing to changes; null during server rendering and hydration. */
export function useLastPlace(region: Region): string | null {
  return useSyncExternalStore(
    subscribeToNothing,
    () => lastPlace(region),
    () => null,
  )
}
