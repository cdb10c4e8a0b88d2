import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format/dates.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import type { VisitFacts } from '#contract/booking.ts'
import { LATE_FEE_NOTE, type VisitTerms } from '#contract/visits.ts'

/** Where a refund goes. */
export const refundTargets = { stripe: 'your card', paypal: 'your PayPal wallet' } as const

/** "You get £30.00 of £60.00 back to your card": the first thing people want to know. */
function refundHeadline({ refund, paid, left, paymentMethod }: VisitTerms): string {
  const way = refundTargets[paymentMethod]
  if (left.minor === 0) return 'Your payment has already been refunded'
  if (refund.minor === 0) return 'You get no refund'
  const amount =
    refund.minor === paid.minor
      ? formatExactMoney(refund)
      : `${formatExactMoney(refund)} of ${formatExactMoney(paid)}`
  return `You get ${amount} back to ${way}`
}

/** How the refund is calculated, as dates and amounts. */
function Reasons({ terms }: { terms: VisitTerms }) {
  const { paid, left, kept, isFree, freeUntil, timeZone, startsAt } = terms
  const moment = visitMoment(freeUntil, timeZone)
  const back = paid.minor - left.minor
  return (
    <>
      {left.minor > 0 && isFree && Date.parse(freeUntil) < Date.parse(startsAt) && (
        <p>Cancellation is free until {moment}.</p>
      )}
      {left.minor > 0 && !isFree && kept.minor > 0 && (
        <p>
          Free cancellation ended on {moment}. Cancelling now costs {formatExactMoney(kept)}.{' '}
          {LATE_FEE_NOTE}
        </p>
      )}
      {back > 0 && left.minor > 0 && (
        <p>{formatExactMoney({ ...paid, minor: back })} was refunded earlier.</p>
      )}
    </>
  )
}

function Terms({ terms }: { terms: VisitTerms }) {
  return (
    <Notice
      kind={terms.kept.minor > 0 ? 'warn' : 'info'}
      role="status"
      title={refundHeadline(terms)}
    >
      <Reasons terms={terms} />
      {terms.refund.minor > 0 && <p>Banks can take up to ten days to show it.</p>}
    </Notice>
  )
}

/** Why the visit cannot be cancelled any more, or else why the last attempt failed. */
function CancelFailure({ terms, cancelling }: { terms: unknown; cancelling: unknown }) {
  const error = terms ?? cancelling
  if (!error) return null
  const { code, sentence } = describeFailure(error)
  const title = terms ? 'This visit can’t be cancelled' : 'Your visit isn’t cancelled'
  // Cancelled in another window, or by a request whose response was lost.
  if (code === 'visit_cancelled') {
    return <Notice kind="ok" role="status" title={sentence} />
  }
  return (
    <Notice kind="danger" role="alert" title={title}>
      <p>{sentence}</p>
    </Notice>
  )
}

type CancelQuestionProps = {
  visit: Pick<VisitFacts, 'provider' | 'startsAt' | 'timeZone'>
  onClose: () => void
  /** The current terms; undefined while they load. */
  terms: VisitTerms | undefined
  /** Why the visit cannot be cancelled any more. */
  refusal: unknown
  cancel: (shown: VisitTerms) => Promise<unknown>
  /** Fetches again what may have changed. */
  refresh: () => Promise<unknown>
}

/** Confirms cancelling a visit, and first shows the refund. */
export function CancelQuestion(props: CancelQuestionProps) {
  const { visit, onClose, terms, refusal, cancel, refresh } = props
  const { provider, startsAt, timeZone } = visit
  const { booking } = trpc.useUtils()
  const cancelling = useMutation({
    mutationFn: cancel,
    onSuccess: async () => {
      // First, so that the dialog closes when its button is gone, and the heading above takes focus.
      await booking.invalidate()
      onClose()
      void showToast('Your visit is cancelled.')
    },
    // Shows what has changed, or the result of a lost response, before asking again.
    onError: refresh,
  })
  const isRefused = Boolean(refusal)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Cancel this visit?"
      isBusy={cancelling.isPending}
      footer={
        <>
          <Button
            variant="danger"
            disabled={terms === undefined || isRefused}
            isBusy={cancelling.isPending}
            onClick={() => terms && cancelling.mutate(terms)}
          >
            Cancel visit
          </Button>
          <Button variant="secondary" disabled={cancelling.isPending} onClick={onClose}>
            Keep visit
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          <span className="block font-semibold">{provider.name}</span>
          <span className="tabular">
            {formatDay(dayOf(startsAt, timeZone), timeZone, 'long')},{' '}
            {formatTime(startsAt, timeZone)}
          </span>
        </p>
        <CancelFailure terms={refusal} cancelling={cancelling.error} />
        {terms === undefined && !isRefused && <Skeleton className="h-24 w-full" />}
        {terms !== undefined && !isRefused && <Terms terms={terms} />}
      </div>
    </Dialog>
  )
}
