import { useQuery } from '@tanstack/react-query'
import {
  keepSpecialities,
  readSpecialities,
  SPECIALITY_CACHE_MS,
} from '#app/lib/speciality-cache.ts'
import { useApi, useTrpc } from '#app/trpc.ts'
import type { Region } from '#contract/region.ts'
import type { Specialty } from '#contract/search.ts'

/** The specialties of a region: from local storage while they are fresh there, else asked for. */
export function useSpecialities(region: Region): Specialty[] {
  const api = useApi()
  const { queryKey } = useTrpc().search.specialities.queryOptions({ selectedRegion: region })
  const kept = readSpecialities(region)
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const list = await api.search.specialities.query({ selectedRegion: region }, { signal })
      keepSpecialities(region, list)
      return list
    },
    staleTime: SPECIALITY_CACHE_MS,
    ...(kept && { initialData: kept.specialities, initialDataUpdatedAt: kept.savedAt }),
  })
  return data ?? []
}
