import { trpc } from '#app/trpc.ts'
import type { VisitsInput } from '#contract/booking.ts'

/** One page of the viewer's visits: coming ones soonest first, past ones latest first. */
export function useVisits(when: VisitsInput['when'], after: string | null) {
  // Whoever comes here has often just booked.
  return trpc.booking.visits.useSuspenseQuery(
    { when, ...(after !== null && { after }) },
    { staleTime: 0 },
  )
}
