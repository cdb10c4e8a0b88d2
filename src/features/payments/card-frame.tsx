import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

/** One instance a page. A script that did not load is asked for again on trying again. */
function useStripe(publishableKey: string) {
  return useQuery({
    queryKey: [['payments', 'stripe'], publishableKey],
    queryFn: () => loadStripe(publishableKey),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    // It is an object of theirs, not an answer: it must stay the very same.
    structuralSharing: false,
  })
}

type CardFrameProps = { publishableKey: string; clientSecret: string }

/** The card form itself, in a file of its own because the gateway's code comes with it. */
export function CardFrame({ publishableKey, clientSecret }: CardFrameProps) {
  const { data: stripe, error, refetch } = useStripe(publishableKey)
  const options = useMemo(() => ({ clientSecret }), [clientSecret])
  if (error !== null) {
    return (
      <ErrorState
        title="The card form didn’t load"
        sentence={describeFailure(error).sentence}
        reference={null}
        actions={<Button onClick={() => void refetch()}>Try again</Button>}
      />
    )
  }
  if (!stripe) return <Skeleton className="h-64 w-full" />
  return (
    <EmbeddedCheckoutProvider stripe={stripe} options={options}>
      <EmbeddedCheckout className="min-h-80" />
    </EmbeddedCheckoutProvider>
  )
}
