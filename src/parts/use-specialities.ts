import { useEffect, useMemo } from 'react'
import * as z from 'zod/mini'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { type QueryUtils, trpc } from '#app/trpc.ts'
import type { Region } from '#contract/base/region.ts'
import { Specialty } from '#contract/search.ts'

/** The word for providers when no specialty is chosen. */
export const ALL_PROVIDERS = 'Doctors and dentists'

/** "Dentists", or the word for all providers when no specialty is chosen. */
export function peopleWord(specialty: Specialty | undefined): string {
  return specialty?.plural ?? ALL_PROVIDERS
}

/** The specialties of a region, and nothing until they are loaded. */
export function useSpecialities(region: Region): Specialty[] {
  return useSpecialityList(region).specialities
}

/**
 * The specialties of a region, from local storage while fresh there, or else fetched; `error` if they did not
 * load.
 */
export function useSpecialityList(region: Region) {
  const kept = useMemo(() => readSpecialities(region), [region])
  const { data, dataUpdatedAt, error, refetch } = trpc.search.specialities.useQuery(
    { selectedRegion: region },
    {
      staleTime: SPECIALITY_CACHE_MS,
      ...(kept && { initialData: kept.specialities, initialDataUpdatedAt: kept.savedAt }),
    },
  )
  // Stores the list, whether it came with the page or was fetched.
  useEffect(() => {
    if (data === undefined || readSpecialities(region) !== null) return
    cacheSpecialities(region, data, dataUpdatedAt)
  }, [region, data, dataUpdatedAt])
  return {
    specialities: data ?? [],
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  }
}

/** For loaders: fetches a region's specialties, unless those in local storage are still fresh. */
export function prefetchSpecialities({ search }: QueryUtils, region: Region): void {
  if (readSpecialities(region) !== null) return
  void search.specialities.prefetch({ selectedRegion: region }, { staleTime: SPECIALITY_CACHE_MS })
}

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
