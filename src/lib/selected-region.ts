import { useSyncExternalStore } from 'react'
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

/** The kept region, following changes of it. */
export function useSelectedRegion(): Region {
  return useSyncExternalStore(subscribe, selectedRegion, selectedRegion)
}
