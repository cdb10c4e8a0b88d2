import { useMutation } from '@tanstack/react-query'
import { useApi } from '#app/trpc.ts'
import type { DescribeInput, Hold } from '#contract/booking.ts'
import type { UpdateHold } from './use-hold.ts'

type Draft = Omit<DescribeInput, 'holdId'>

function withDraft(hold: Hold, draft: Draft): Hold {
  const { typeOfVisit, paymentMethod, purposeForVisit } = draft
  return {
    ...hold,
    typeOfVisit: typeOfVisit ?? hold.typeOfVisit,
    paymentMethod: paymentMethod ?? hold.paymentMethod,
    purposeForVisit: purposeForVisit ?? hold.purposeForVisit,
  }
}

/**
 * Keeps what the checkout has been told with the hold. It stands on the page at once, goes out in
 * order, and stays as it was chosen when the network is slow.
 */
export function useDescribe(hold: Hold, update: UpdateHold) {
  const api = useApi()
  return useMutation({
    mutationFn: (draft: Draft) => api.booking.describe.mutate({ holdId: hold.id, ...draft }),
    scope: { id: `describe ${hold.id}` },
    onMutate: (draft) => update((now) => withDraft(now, draft)),
  })
}
