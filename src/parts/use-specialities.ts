import { useEffect, useMemo } from 'react'
import {
  keepSpecialities,
  readSpecialities,
  SPECIALITY_CACHE_MS,
} from '#app/lib/speciality-cache.ts'
import { trpc } from '#app/trpc.ts'
import type { Region } from '#contract/region.ts'
import type { Specialty } from '#contract/search.ts'

/** What providers are called when no specialty was chosen. */
export const EVERYBODY = 'Doctors and dentists'

/** "Dentists", or what to call them when no specialty was chosen. */
export function peopleWord(specialty: Specialty | undefined): string {
  return specialty?.plural ?? EVERYBODY
}

/** The specialties of a region: from local storage while they are fresh there, else asked for. */
export function useSpecialities(region: Region): Specialty[] {
  const kept = useMemo(() => readSpecialities(region), [region])
  const { data, dataUpdatedAt } = trpc.search.specialities.useQuery(
    { selectedRegion: region },
    {
      staleTime: SPECIALITY_CACHE_MS,
      ...(kept && { initialData: kept.specialities, initialDataUpdatedAt: kept.savedAt }),
    },
  )
  // However the list came: with the page, or asked for.
  useEffect(() => {
    if (data === undefined || readSpecialities(region) !== null) return
    keepSpecialities(region, data, dataUpdatedAt)
  }, [region, data, dataUpdatedAt])
  return data ?? []
}
