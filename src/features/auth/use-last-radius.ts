import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { useTrpc } from '#app/trpc.ts'
import { RADII, SearchFilters } from '#contract/search.ts'

const Asked = z.object({ input: z.object({ radius: z.literal(RADII) }) })

/** The radius of the last search of this visit, in miles; null when nothing was searched for. */
export function useLastRadius(): (typeof RADII)[number] | null {
  const client = useQueryClient()
  const { queryKey } = useTrpc().search.providers.queryOptions(SearchFilters.parse({}))
  const [path] = queryKey
  const last = client
    .getQueryCache()
    .findAll({ queryKey: [path] })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)[0]
  const asked = Asked.safeParse(last?.queryKey[1])
  return asked.success ? asked.data.input.radius : null
}
