import { useQuery } from '@tanstack/react-query'
import { useTrpc } from '#app/trpc.ts'
import type { VisitsInput } from '#contract/booking.ts'

/** One page of the viewer's visits: coming ones soonest first, past ones latest first. */
export function useVisits(when: VisitsInput['when'], after: string | null) {
  const { visits } = useTrpc().booking
  return useQuery({
    ...visits.queryOptions({ when, ...(after !== null && { after }) }),
    // Whoever comes here has often just booked.
    staleTime: 0,
  })
}
