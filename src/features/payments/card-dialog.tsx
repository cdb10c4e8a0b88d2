import { Clock } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown } from '#app/lib/format-countdown.ts'
import { useTimeLeft } from '#app/lib/use-time-left.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useGateways } from './use-gateways.ts'

const CardFrame = lazy(async () => ({ default: (await import('./card-frame.tsx')).CardFrame }))

type CardDialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  /** Null while the server is still opening the session. */
  clientSecret: string | null
  /** The form covers the page's own countdown on phones, so it has one as well. */
  holdUntil: string
}

function HeldFor({ holdUntil }: Pick<CardDialogProps, 'holdUntil'>) {
  const left = useTimeLeft(holdUntil)
  return (
    <p className="mb-3 flex items-center gap-2 text-sm text-muted">
      <Clock aria-hidden="true" strokeWidth={1.75} className="size-4" />
      <span>
        Held for you <span className="tabular font-semibold text-ink">{formatCountdown(left)}</span>
      </span>
    </p>
  )
}

function Opening() {
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="sr-only">
        Opening the card form
      </p>
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-13 w-full" />
    </div>
  )
}

function Form({ clientSecret }: Pick<CardDialogProps, 'clientSecret'>) {
  const { data: options, error, refetch } = useGateways()
  if (error) {
    return (
      <ErrorState
        title="The card form did not load"
        sentence={describeFailure(error).sentence}
        reference={null}
        actions={<Button onClick={() => void refetch()}>Try again</Button>}
      />
    )
  }
  if (options === undefined || clientSecret === null) return <Opening />
  return (
    <Suspense fallback={<Opening />}>
      <CardFrame
        // The provider takes one secret for good.
        key={clientSecret}
        publishableKey={options.stripe.publishableKey}
        clientSecret={clientSecret}
      />
    </Suspense>
  )
}

/** The gateway's card form in a dialog. Closing it loses nothing: it opens again as it was. */
export function CardDialog(props: CardDialogProps) {
  const { isOpen, onClose, title, clientSecret, holdUntil } = props
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <HeldFor holdUntil={holdUntil} />
      <Form clientSecret={clientSecret} />
    </Dialog>
  )
}
