import { useEffect, useSyncExternalStore } from 'react'
import { DEFAULT_REGION, Region } from '#contract/base/region.ts'
import { readStored, writeStored } from './storage.ts'

/** Why the browser gave no position. */
export type PositionFault = 'denied' | 'unavailable' | 'unsupported'

/** Three decimals are about 110 m: enough for a postcode sector, and nobody's front door. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1_000) / 1_000
}

/** 15 seconds for the first fix; one from the last five minutes is accepted as well. */
const OPTIONS: PositionOptions = {
  enableHighAccuracy: false,
  timeout: 15_000,
  maximumAge: 300_000,
}

export class NoPosition extends Error {
  override readonly name = 'NoPosition'
  readonly fault: PositionFault

  constructor(fault: PositionFault) {
    super(`The browser gave no position: ${fault}.`)
    this.fault = fault
  }
}

/**
 * The user's position in WGS84 degrees, rounded to three decimals. The browser asks for permission, so call
 * this only on a press. Rejects with `NoPosition`.
 */
export function currentPosition(): Promise<{ latitude: number; longitude: number }> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) {
      reject(new NoPosition('unsupported'))
      return
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ latitude: rounded(coords.latitude), longitude: rounded(coords.longitude) }),
      ({ code, PERMISSION_DENIED }) =>
        reject(new NoPosition(code === PERMISSION_DENIED ? 'denied' : 'unavailable')),
      OPTIONS,
    )
  })
}

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

const KEY = 'selectedRegion'
const listeners = new Set<() => void>()

/** The region stored under `selectedRegion`; `DEFAULT_REGION` until the user chooses. */
export function selectedRegion(): Region {
  const stored = Region.safeParse(readStored(KEY))
  return stored.success ? stored.data : DEFAULT_REGION
}

/** Stores the region and notifies every component that shows it. */
export function selectRegion(region: Region): void {
  writeStored(KEY, region)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The stored region, kept up to date. Server-rendered pages hydrate with the default one. */
export function useSelectedRegion(): Region {
  const region = useSyncExternalStore(subscribe, selectedRegion, () => DEFAULT_REGION)
  // Reveals content that `public/boot.js` hid because it was rendered for another region.
  useEffect(() => {
    delete document.documentElement.dataset['region']
  }, [])
  return region
}
