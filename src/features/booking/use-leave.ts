import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { choiceOf } from '#app/lib/slot-choice.ts'
import { useApi, useTrpc } from '#app/trpc.ts'
import type { Hold } from '#contract/booking.ts'

/**
 * Leaves the checkout for the profile and gives the time back, so that it can be chosen there again.
 * `isSame` keeps it chosen.
 */
export function useLeave(hold: Hold) {
  const api = useApi()
  const client = useQueryClient()
  const router = useRouter()
  const { provider, region, distance, startsAt, timeZone } = hold
  const [freeTimes] = useTrpc().availability.freeTimes.queryOptions({
    providerId: provider.id,
  }).queryKey
  return useMutation({
    mutationFn: (_way: { isSame: boolean }) => api.payments.leave.mutate({ holdId: hold.id }),
    // Not given back now, it ends by itself when its minutes are over: nobody waits for that here.
    onSettled: async (_answer, _error, { isSame }) => {
      client.removeQueries({ queryKey: [freeTimes] })
      await router.navigate({
        to: '/doctor-profile/$id/$distance',
        params: { id: provider.id, distance: distance ?? '0' },
        search: { region, ...(isSame && choiceOf(startsAt, timeZone)) },
      })
    },
  })
}
