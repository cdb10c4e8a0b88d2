import type { ReactNode } from 'react'
import { describeFailure, isTransient } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import type { Visit } from '#contract/booking.ts'
import { POLL_MS, POLL_TRIES } from '#contract/payments.ts'
import {
  PaymentComplete,
  PaymentFailed,
  PaymentPending,
  PaymentProblem,
} from './payment-outcome.tsx'
import { isOutcomeUnknown, MAX_CAPTURE_RETRIES } from './poll-payment.ts'

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
        isOutcomeUnknown(failure) ? tries < MAX_CAPTURE_RETRIES : tries < 2 && isTransient(failure),
      retryDelay: POLL_MS,
      refetchInterval: ({ state }) =>
        state.data?.status === 'processing' && state.dataUpdateCount < POLL_TRIES ? POLL_MS : false,
    },
  )
  if (sessionId === undefined) return <PaymentProblem reason={null} />
  const problem = error ?? failureReason
  if (problem !== null && data === undefined) {
    const failure = describeFailure(problem)
    // No such session: a retry cannot help.
    if (failure.code === 'not_found') return <PaymentProblem reason={null} />
    return <PaymentProblem reason={null} failure={failure} onRetry={() => void refetch()} />
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
      return <PaymentProblem reason={data.reason} />
  }
}
