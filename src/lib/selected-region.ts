import { useEffect, useSyncExternalStore } from 'react'
import { DEFAULT_REGION, Region } from '#contract/region.ts'
import { readStored, writeStored } from './storage.ts'

const KEY = 'selectedRegion'
const listeners = new Set<() => void>()

/** The region kept locally under `selectedRegion`; uk until the person chooses. */
export function selectedRegion(): Region {
  const kept = Region.safeParse(readStored(KEY))
  return kept.success ? kept.data : DEFAULT_REGION
}

/** Keeps the region and tells every part of the page that shows it. */
export function selectRegion(region: Region): void {
  writeStored(KEY, region)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The kept region, following changes of it. What the server rendered hydrates as the assumed one. */
export function useSelectedRegion(): Region {
  const region = useSyncExternalStore(subscribe, selectedRegion, () => DEFAULT_REGION)
  // Until now `public/boot.js` has kept out of sight what was rendered for another region.
  useEffect(() => {
    delete document.documentElement.dataset['region']
  }, [])
  return region
}
