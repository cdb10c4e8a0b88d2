import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { choiceOf } from '#app/lib/slot-choice.ts'
import { trpc } from '#app/trpc.ts'
import type { Hold } from '#contract/booking.ts'

/**
 * Leaves the checkout for the profile and gives the time back, so that it can be chosen there again.
 * `isSame` keeps it chosen.
 */
export function useLeave(hold: Hold) {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  const router = useRouter()
  const { provider, region, distance, startsAt, timeZone } = hold
  return useMutation({
    mutationFn: (_way: { isSame: boolean }) =>
      utils.client.payments.leave.mutate({ holdId: hold.id }),
    // Not given back now, it ends by itself when its minutes are over: nobody waits for that here.
    onSettled: async (_answer, _error, { isSame }) => {
      client.removeQueries({ queryKey: getQueryKey(trpc.availability.freeTimes) })
      await router.navigate({
        to: '/doctor-profile/$id/$distance',
        params: { id: provider.id, distance: distance ?? '0' },
        search: { region, ...(isSame && choiceOf(startsAt, timeZone)) },
      })
    },
  })
}
