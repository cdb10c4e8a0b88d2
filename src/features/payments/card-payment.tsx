import { useMutation } from '@tanstack/react-query'
import { Clock, Lock } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTimeLeft } from '#app/lib/dates/server-clock.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown } from '#app/lib/format/dates.ts'
import { late } from '#app/lib/late-code.ts'
import { LoadFailure } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import { useGateways } from './gateway-calls.ts'
import {
  cardMessage,
  NO_SECRET,
  notChargedText,
  notifyCheckout,
  type PaymentSlot,
  payInputOf,
  shownPrice,
} from './payment-messages.ts'

class NoSecretError extends Error {
  override readonly name = 'NoSecretError'
}

function messageOf(error: Error): string {
  return error instanceof NoSecretError ? error.message : cardMessage(describeFailure(error))
}

/** Paying by card: one button, and the gateway's own form in a dialog. */
export function CardPayment(slot: PaymentSlot) {
  const { hold } = slot
  const { client } = trpc.useUtils()
  const [isOpen, setIsOpen] = useState(false)
  const start = useMutation({
    mutationFn: async () => {
      const answer = await client.payments.startCard.mutate(payInputOf(hold))
      if (!answer.clientSecret) throw new NoSecretError(NO_SECRET)
      return answer
    },
    onError: (error) => {
      // The dialog closes, and the page shows the error.
      setIsOpen(false)
      notifyCheckout(describeFailure(error), slot)
    },
  })
  const problem = start.error === null ? null : messageOf(start.error)
  const price = formatExactMoney(shownPrice(hold))
  return (
    <>
      {problem !== null && !isOpen && (
        <Notice kind="danger" role="alert">
          <p className="font-semibold">{problem}</p>
          <p>{notChargedText(problem)}</p>
        </Notice>
      )}
      <Button
        size="large"
        className="w-full max-w-form"
        onClick={() => {
          setIsOpen(true)
          start.mutate()
        }}
      >
        <Lock aria-hidden="true" className="size-5" />
        Pay {price} by card
      </Button>
      <CardDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Pay ${price} by card`}
        clientSecret={start.data?.clientSecret ?? null}
        holdUntil={hold.holdUntil}
      />
    </>
  )
}

const CardFrame = late(async () => (await import('./card-frame.tsx')).CardFrame)

type CardDialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  /** Null while the server is still opening the session. */
  clientSecret: string | null
  /** End of the hold: the dialog covers the page's countdown on phones, so it shows its own. */
  holdUntil: string
}

function HoldCountdown({ holdUntil }: Pick<CardDialogProps, 'holdUntil'>) {
  const left = useTimeLeft(holdUntil)
  return (
    <p className="mb-3 flex items-center gap-2 text-sm text-muted">
      <Clock aria-hidden="true" className="size-4" />
      <span>
        Held for you <span className="tabular font-semibold text-ink">{formatCountdown(left)}</span>
      </span>
    </p>
  )
}

function CardFormSkeleton() {
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
      <LoadFailure title="The card form didn’t load" error={error} onRetry={() => void refetch()} />
    )
  }
  if (options === undefined || clientSecret === null) return <CardFormSkeleton />
  return (
    <Suspense fallback={<CardFormSkeleton />}>
      <CardFrame
        // Stripe's provider cannot change its secret, so another one needs a new instance.
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
      <HoldCountdown holdUntil={holdUntil} />
      <Form clientSecret={clientSecret} />
    </Dialog>
  )
}
