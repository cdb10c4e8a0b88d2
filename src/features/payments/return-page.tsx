import type { ReactNode } from 'react'
import { describeFailure, isTransient } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import type { Visit } from '#contract/booking.ts'
import { POLL_MS, POLL_TRIES } from '#contract/payments.ts'
import { isLost, REGAIN_TRIES } from './follow-payment.ts'
import { PaymentComplete, PaymentFailed, PaymentPending, PaymentWrong } from './payment-outcome.tsx'

type ReturnPageProps = {
  sessionId: string | undefined
  /** The practice of a visit on a map; from another room. */
  renderMap: (visit: Visit) => ReactNode
}

/** `/return`: what the gateway sent the person back with, as our own server knows it. */
export function ReturnPage({ sessionId, renderMap }: ReturnPageProps) {
  const { data, error, failureReason, refetch } = trpc.payments.returned.useQuery(
    { session_id: sessionId ?? '' },
    {
      enabled: sessionId !== undefined,
      staleTime: 0,
      // A server that is away says nothing of the money: it is asked until it is back.
      retry: (tries, failure) =>
        isLost(failure) ? tries < REGAIN_TRIES : tries < 2 && isTransient(failure),
      retryDelay: POLL_MS,
      refetchInterval: ({ state }) =>
        state.data?.status === 'processing' && state.dataUpdateCount < POLL_TRIES ? POLL_MS : false,
    },
  )
  if (sessionId === undefined) return <PaymentWrong reason={null} />
  const trouble = error ?? failureReason
  if (trouble !== null && data === undefined) {
    const failure = describeFailure(trouble)
    // Nobody has such a session: asking again cannot help.
    if (failure.code === 'not_found') return <PaymentWrong reason={null} />
    return <PaymentWrong reason={null} failure={failure} onRetry={() => void refetch()} />
  }
  if (data === undefined) return <PaymentPending />
  switch (data.status) {
    case 'complete':
      return (
        <PaymentComplete
          email={data.customer_email}
          visit={data.visit}
          map={data.visit && renderMap(data.visit)}
        />
      )
    case 'open':
      return <PaymentFailed hold={data.hold} onOver={() => void refetch()} />
    case 'processing':
      return <PaymentPending isKnown />
    case 'failed':
      return <PaymentWrong reason={data.reason} />
  }
}
