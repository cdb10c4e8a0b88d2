import { useState } from 'react'
import { formatCountdown } from '#app/lib/format-countdown.ts'
import { useTimeLeft, useWhenPast } from '#app/lib/use-time-left.ts'
import { Button } from '#app/ui/button.tsx'
import { Container } from '#app/ui/container.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import type { ReturnAnswer } from '#contract/payments.ts'
import { CardDialog } from './card-dialog.tsx'

type LiveHold = NonNullable<ReturnAnswer['hold']>

/** The same checkout again, for as long as the time is held; then its frame has to go. */
function TryAgain({ hold }: { hold: LiveHold }) {
  const [isOpen, setIsOpen] = useState(false)
  const left = useTimeLeft(hold.holdUntil)
  return (
    <>
      <p className="mt-4 text-lg text-muted">
        Nothing was charged. Your time is still held for you for{' '}
        <span className="tabular font-semibold text-ink">{formatCountdown(left)}</span>.
      </p>
      <div className="mt-8">
        <Button size="large" onClick={() => setIsOpen(true)}>
          Try again
        </Button>
      </div>
      <CardDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Pay by card"
        clientSecret={hold.clientSecret}
        holdUntil={hold.holdUntil}
      />
    </>
  )
}

function NoLongerHeld() {
  return (
    <>
      <p className="mt-4 text-lg text-muted">
        Nothing was charged, and the time is no longer held for you.
      </p>
      <div className="mt-8">
        <LinkButton to="/home" size="large">
          Find another time
        </LinkButton>
      </div>
    </>
  )
}

type PaymentFailedProps = { hold: ReturnAnswer['hold']; onOver: () => void }

/** The session is still open: nothing was paid, and it can be tried again while the time is held. */
export function PaymentFailed({ hold, onOver }: PaymentFailedProps) {
  const [isOver, setIsOver] = useState(false)
  useWhenPast(isOver ? undefined : hold?.holdUntil, () => {
    setIsOver(true)
    // Somebody may have paid in the last second.
    onOver()
  })
  return (
    <Container className="py-10 sm:py-16">
      <PageTitle title="Payment failed" />
      <div className="max-w-prose">
        <h1 className="text-2xl font-semibold sm:text-3xl">Payment failed</h1>
        {hold === null || isOver ? <NoLongerHeld /> : <TryAgain hold={hold} />}
      </div>
    </Container>
  )
}
