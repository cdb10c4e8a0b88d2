import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '#app/trpc.ts'
import type { VisitsInput } from '#contract/booking.ts'

/** The viewer's visits page by page: coming ones soonest first, past ones latest first. */
export function useVisits(when: VisitsInput['when']) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [['booking', 'visits'], when],
    queryFn: ({ pageParam, signal }) =>
      api.booking.visits.query(
        { when, ...(pageParam !== null && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // Whoever comes here has often just booked.
    staleTime: 0,
  })
}
