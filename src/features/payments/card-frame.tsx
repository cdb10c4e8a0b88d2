import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { createElement, useMemo } from 'react'
import { LoadFailure } from '#app/parts/data-boundary.tsx'
import { Skeleton } from '#app/ui/page.tsx'

/** One Stripe instance per page. If its script fails to load, a retry loads it again. */
function useStripe(publishableKey: string) {
  return useQuery({
    queryKey: [['payments', 'stripe'], publishableKey],
    queryFn: () => loadStripe(publishableKey),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    // The data is Stripe's own object, not JSON: its identity must be kept.
    structuralSharing: false,
  })
}

type CardFrameProps = { publishableKey: string; clientSecret: string }

/** The card form itself, in its own file because it brings in the gateway's code. */
export function CardFrame({ publishableKey, clientSecret }: CardFrameProps) {
  const { data: stripe, error, refetch } = useStripe(publishableKey)
  const options = useMemo(() => ({ clientSecret }), [clientSecret])
  if (error !== null) {
    return (
      <LoadFailure title="The card form didn’t load" error={error} onRetry={() => void refetch()} />
    )
  }
  if (!stripe) return <Skeleton className="h-64 w-full" />
  const form = createElement(EmbeddedCheckout, { className: 'min-h-80' })
  return createElement(EmbeddedCheckoutProvider, { stripe, options }, form)
}
