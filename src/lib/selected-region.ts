import { useEffect, useSyncExternalStore } from 'react'
import { DEFAULT_REGION, Region } from '#contract/region.ts'
import { readStored, writeStored } from './storage.ts'

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
