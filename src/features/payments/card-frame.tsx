import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useMemo, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'

let known: { key: string; stripe: Promise<Stripe | null> } | undefined

/** One instance a page; a script that did not load is asked for again the next time. */
function stripeFor(key: string): Promise<Stripe | null> {
  if (known?.key !== key) {
    const stripe = loadStripe(key)
    known = { key, stripe }
    stripe.catch(() => {
      known = undefined
    })
  }
  return known.stripe
}

function useStripe(publishableKey: string) {
  const [stripe, setStripe] = useState<Stripe | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isHere = true
    stripeFor(publishableKey).then(
      (loaded) => isHere && setStripe(loaded),
      (reason: unknown) => isHere && setError(reason),
    )
    return () => {
      isHere = false
    }
  }, [publishableKey, tries])
  const retry = () => {
    setError(null)
    setTries(tries + 1)
  }
  return { stripe, error, retry }
}

type CardFrameProps = { publishableKey: string; clientSecret: string }

/** The card form itself, in a file of its own because the gateway's code comes with it. */
export function CardFrame({ publishableKey, clientSecret }: CardFrameProps) {
  const { stripe, error, retry } = useStripe(publishableKey)
  const options = useMemo(() => ({ clientSecret }), [clientSecret])
  if (error !== null) {
    return (
      <ErrorState
        title="The card form did not load"
        sentence={describeFailure(error).sentence}
        reference={null}
        actions={<Button onClick={retry}>Try again</Button>}
      />
    )
  }
  if (stripe === null) return <Skeleton className="h-64 w-full" />
  return (
    <EmbeddedCheckoutProvider stripe={stripe} options={options}>
      <EmbeddedCheckout className="min-h-80" />
    </EmbeddedCheckoutProvider>
  )
}
