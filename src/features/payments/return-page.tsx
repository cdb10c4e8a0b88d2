import type { ReactNode } from 'react'
import { describeFailure, isTransient } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import type { Visit } from '#contract/booking.ts'
import { POLL_MS, POLL_TRIES } from '#contract/payments.ts'
import { isLost, REGAIN_TRIES } from './follow-payment.ts'
import { PaymentComplete, PaymentFailed, PaymentPending, PaymentWrong } from './payment-outcome.tsx'

type ReturnPageProps = {
  sessionId: string | undefined
  /** Renders a map of the visit's practice, by another feature. */
  renderMap: (visit: Visit) => ReactNode
}

/** `/return`: where the gateway redirects to; shows the outcome according to our own server. */
export function ReturnPage({ sessionId, renderMap }: ReturnPageProps) {
  const { data, error, failureReason, refetch } = trpc.payments.returned.useQuery(
    { session_id: sessionId ?? '' },
    {
      enabled: sessionId !== undefined,
      staleTime: 0,
      // An unreachable server says nothing about the payment: retries until it responds.
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
    // No such session: a retry cannot help.
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
