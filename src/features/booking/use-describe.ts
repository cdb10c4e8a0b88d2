import { useMemo, useState } from 'react'
import { trpc } from '#app/trpc.ts'
import type { DescribeInput, Hold } from '#contract/booking.ts'

type Draft = Omit<DescribeInput, 'holdId'>

function withDraft(hold: Hold, draft: Draft): Hold {
  const { typeOfVisit, mode, patientState, paymentMethod, purposeForVisit } = draft
  return {
    ...hold,
    typeOfVisit: typeOfVisit ?? hold.typeOfVisit,
    mode: mode ?? hold.mode,
    patientState: patientState ?? hold.patientState,
    paymentMethod: paymentMethod ?? hold.paymentMethod,
    purposeForVisit: purposeForVisit ?? hold.purposeForVisit,
  }
}

/**
 * Keeps what the checkout is told with the hold. It stands on the page at once (`told`), goes out in
 * order, and stays as it was chosen when the network is slow.
 */
export function useDescribe(hold: Hold) {
  const [draft, setDraft] = useState<Draft>({})
  const sending = trpc.booking.describe.useMutation({ scope: { id: `describe ${hold.id}` } })
  return {
    told: useMemo(() => withDraft(hold, draft), [hold, draft]),
    describe: (part: Draft): Promise<Hold> => {
      // Before anything else: a radio that waits for an answer would jump back and forth.
      setDraft((now) => ({ ...now, ...part }))
      return sending.mutateAsync({ holdId: hold.id, ...part })
    },
    /** What the server has, after it refused what was told. */
    forget: () => setDraft({}),
  }
}
