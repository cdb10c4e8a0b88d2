import { useEffect, useMemo } from 'react'
import {
  cacheSpecialities,
  readSpecialities,
  SPECIALITY_CACHE_MS,
} from '#app/lib/speciality-cache.ts'
import { trpc } from '#app/trpc.ts'
import type { Region } from '#contract/region.ts'
import type { Specialty } from '#contract/search.ts'

/** The word for providers when no specialty is chosen. */
export const ALL_PROVIDERS = 'Doctors and dentists'

/** "Dentists", or the word for all providers when no specialty is chosen. */
export function peopleWord(specialty: Specialty | undefined): string {
  return specialty?.plural ?? ALL_PROVIDERS
}

/** The specialties of a region, from local storage while fresh there, or else fetched. */
export function useSpecialities(region: Region): Specialty[] {
  const kept = useMemo(() => readSpecialities(region), [region])
  const { data, dataUpdatedAt } = trpc.search.specialities.useQuery(
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
  return data ?? []
}
