import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import * as z from 'zod/mini'
import { trpc } from '#app/trpc.ts'
import { RADII } from '#contract/search.ts'

const SearchQueryKey = z.object({ input: z.object({ radius: z.literal(RADII) }) })

/** The radius of the last search of this visit, in miles; null when nothing was searched for. */
export function useLastRadius(): (typeof RADII)[number] | null {
  const client = useQueryClient()
  const last = client
    .getQueryCache()
    .findAll({ queryKey: getQueryKey(trpc.search.providers) })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)[0]
  const parsed = SearchQueryKey.safeParse(last?.queryKey[1])
  return parsed.success ? parsed.data.input.radius : null
}
