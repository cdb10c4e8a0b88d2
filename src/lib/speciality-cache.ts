import * as z from 'zod/mini'
import type { Region } from '#contract/region.ts'
import { Specialty } from '#contract/search.ts'
import { readStored, writeStored } from './storage.ts'

/** How long the list of a region is good for: 1440 minutes (specification, section 9). */
export const SPECIALITY_CACHE_MS = 1_440 * 60_000

const CacheEntry = z.object({ savedAt: z.number(), specialities: z.array(Specialty) })
export type CachedSpecialities = z.infer<typeof CacheEntry>

const keyOf = (region: Region) => `speciality_${region}`

function parse(text: string | null): CachedSpecialities | null {
  try {
    const entry = CacheEntry.safeParse(JSON.parse(text ?? 'null'))
    return entry.success ? entry.data : null
  } catch {
    return null
  }
}

/** The stored list of a region, if it is valid and younger than 1440 minutes at `now` (epoch ms). */
export function readSpecialities(region: Region, now = Date.now()): CachedSpecialities | null {
  const cached = parse(readStored(keyOf(region)))
  if (cached === null || cached.savedAt > now || now - cached.savedAt >= SPECIALITY_CACHE_MS)
    return null
  return cached
}

/** Stores a region's list under `speciality_{region}` with the timestamp `now` (epoch ms). */
export function cacheSpecialities(
  region: Region,
  specialities: Specialty[],
  now = Date.now(),
): void {
  writeStored(keyOf(region), JSON.stringify({ savedAt: now, specialities }))
}
