import { CircleCheck, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTimeLeft, useWhenReached } from '#app/lib/dates/server-clock.ts'
import { describeFailure, type Failure, retryTransient } from '#app/lib/errors.ts'
import { dayOf, formatCountdown, formatDay } from '#app/lib/format/dates.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { cancellationSentence } from '#app/lib/visit-text.ts'
import { CalendarButton } from '#app/parts/visits/visit-buttons.tsx'
import { VisitDetails, VisitHeadline, VisitPlace } from '#app/parts/visits/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink, textLinkClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Container, PageTitle, Spinner } from '#app/ui/page.tsx'
import type { Visit } from '#contract/booking.ts'
import { type FailureReason, POLL_MS, POLL_TRIES, type ReturnResponse } from '#contract/payments.ts'
import { CardDialog } from './card-payment.tsx'
import { isOutcomeUnknown, MAX_CAPTURE_RETRIES } from './gateway-calls.ts'
import { reasonText, SOMETHING_WRONG } from './payment-messages.ts'

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
        isOutcomeUnknown(failure) ? tries < MAX_CAPTURE_RETRIES : retryTransient(tries, failure),
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
      if (data.visit?.state === 'cancelled') return <CancelledSince />
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

type PaymentCompleteProps = {
  /** Where the confirmation was sent; null unless the viewer is the payer. */
  email: string | null
  visit: Visit | null
  /** A map of the practice, rendered by another feature. */
  map?: ReactNode
}

/** Says that the visit is booked, and what to remember: when, with whom, where. */
function Booked({ visit, map }: Pick<PaymentCompleteProps, 'visit' | 'map'>) {
  return (
    <div>
      <h1 className="flex items-center gap-2 text-lg font-semibold text-ok">
        <CircleCheck aria-hidden="true" className="stroke-[2] size-6 shrink-0" />
        Booking complete
      </h1>
      {visit && (
        <>
          <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 md:grid-cols-2">
            <VisitHeadline visit={visit} />
            <div className="flex flex-col gap-3">
              {visit.mode === 'in_person' && (
                <div className="no-print h-44 overflow-hidden rounded-card border border-line bg-sunken">
                  {map}
                </div>
              )}
              <div>
                <VisitPlace visit={visit} />
              </div>
            </div>
          </div>
          <p className="mt-5">
            Your reference{' '}
            <span className="tabular font-semibold tracking-wide select-all">
              {visit.reference}
            </span>
          </p>
        </>
      )}
    </div>
  )
}

function Thanks({ email }: Pick<PaymentCompleteProps, 'email'>) {
  const { supportEmail } = useSiteConfig()
  return (
    <p className="max-w-prose text-lg wrap-anywhere">
      Thank you. A confirmation email was sent to {email ?? 'your email address'}. If you have any
      questions, write to{' '}
      <a href={`mailto:${supportEmail}`} className={textLinkClass}>
        {supportEmail}
      </a>
      .
    </p>
  )
}

function Next({ visit }: { visit: Visit }) {
  return (
    <section aria-labelledby="next">
      <h2 id="next" className="text-xl font-semibold">
        What happens next
      </h2>
      <ol className="mt-3 flex max-w-prose list-decimal flex-col gap-2 pl-5">
        <li>{visit.provider.name} sees your booking and what you wrote.</li>
        <li>
          {visit.mode === 'video'
            ? 'Join from your visits on this site, from 15 minutes before it begins'
            : `Be at ${visit.place.name} a few minutes before`}
          , with a list of any medicines you take.
        </li>
        <li>
          If you can’t come, cancel in <TextLink to="/userProfile">your account</TextLink> as soon
          as you know. {cancellationSentence(visit, visit.typeOfVisit, visit.fee)}
        </li>
      </ol>
    </section>
  )
}

/** Paid and booked: the receipt, the visit, and the actions on it. */
function PaymentComplete({ email, visit, map }: PaymentCompleteProps) {
  return (
    <Container className="py-6 sm:py-10">
      <PageTitle title="Booking complete" />
      <div className="mx-auto flex max-w-200 flex-col gap-8">
        <Booked visit={visit} map={map} />
        {visit ? (
          <>
            <div className="no-print flex flex-wrap items-center gap-3">
              <CalendarButton
                visit={visit}
                what={`${visit.provider.name}, ${formatDay(dayOf(visit.startsAt, visit.timeZone), visit.timeZone, 'long')}`}
                variant="primary"
              />
              <Button variant="secondary" onClick={() => print()}>
                <Printer aria-hidden="true" className="size-5" />
                Print
              </Button>
            </div>
            <Thanks email={email} />
            <section aria-labelledby="visit" className="border-t border-line pt-8">
              <h2 id="visit" className="mb-4 text-xl font-semibold">
                Your visit
              </h2>
              <VisitDetails visit={visit} />
            </section>
            <Next visit={visit} />
            <div className="no-print border-t border-line pt-6">
              <LinkButton to="/userProfile" search={{ booked: visit.id }} variant="secondary">
                Go to your visits
              </LinkButton>
            </div>
          </>
        ) : (
          <>
            <Thanks email={email} />
            <div>
              <LinkButton to="/sign-in" search={{ next: '/userProfile' }}>
                Sign in to see your visit
              </LinkButton>
            </div>
          </>
        )}
      </div>
    </Container>
  )
}

/** The page was opened again after the visit was cancelled: it must not say that there is one. */
function CancelledSince() {
  return (
    <Container className="py-10 sm:py-16">
      <PageTitle title="Visit cancelled" />
      <div className="mx-auto max-w-140">
        <h1 className="text-2xl font-semibold sm:text-3xl">This visit is cancelled</h1>
        <p className="mt-4 text-lg text-muted">
          It was booked with this payment and has been cancelled since. You’ll find the visit and
          its receipt in your visits.
        </p>
        <div className="mt-8">
          <LinkButton to="/userProfile" hash="visits" size="large">
            See your visits
          </LinkButton>
        </div>
      </div>
    </Container>
  )
}

type LiveHold = NonNullable<ReturnResponse['hold']>

/** Opens the same checkout again while the time is held; after that it must close. */
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

type PaymentFailedProps = { hold: ReturnResponse['hold']; onOver: () => void }

/** The session is still open: nothing was paid, and it can be tried again while the time is held. */
function PaymentFailed({ hold, onOver }: PaymentFailedProps) {
  const [isOver, setIsOver] = useState(false)
  useWhenReached(isOver ? undefined : hold?.holdUntil, () => {
    setIsOver(true)
    // The payment may have succeeded in the last second.
    onOver()
  })
  return (
    <Container className="py-10 sm:py-16">
      <PageTitle title="Payment failed" />
      <div className="mx-auto max-w-140">
        <h1 className="text-2xl font-semibold sm:text-3xl">Payment failed</h1>
        {hold === null || isOver ? <NoLongerHeld /> : <TryAgain hold={hold} />}
      </div>
    </Container>
  )
}

/** `moving`: in progress with the overlay dismissed; `unsure`: polling timed out. */
export type WalletPhase = 'ready' | 'processing' | 'moving' | 'unsure' | 'paid' | 'leaving'

/** Replaces the button while a payment is in progress: nothing more to do, and nothing to lose. */
export function PaymentInProgress({ phase }: { phase: WalletPhase }) {
  if (phase === 'paid' || phase === 'leaving') {
    return (
      <Notice kind="ok" role="status" title="Your visit is booked">
        <p>Taking you to your visits…</p>
      </Notice>
    )
  }
  return (
    <>
      <Notice kind="info" role="status" title="We will email you">
        <p>
          Your payment is on its way. Once it goes through, your visit is booked and we’ll email you
          the confirmation. You can close this page. Don’t pay again.
        </p>
      </Notice>
      <div>
        <LinkButton to="/userProfile" hash="visits" variant="secondary">
          See your visits
        </LinkButton>
      </div>
    </>
  )
}

/**
 * The outcome is unknown or the payment still in progress: what happens next, and that waiting is not needed.
 */
function PaymentPending({ isKnown = false }: { isKnown?: boolean }) {
  return (
    <Container className="py-10 sm:py-16">
      <PageTitle title="Processing Payment" />
      <div className="mx-auto max-w-140">
        <h1 className="flex items-center gap-4 text-2xl font-semibold sm:text-3xl">
          <span className="text-brand">
            <Spinner />
          </span>
          Processing Payment
        </h1>
        <p role="status" className="mt-4 text-lg text-muted">
          {isKnown
            ? 'Your bank hasn’t confirmed yet. You can close this page: we’ll email you as soon as the payment goes through. Don’t pay again.'
            : 'Checking your payment…'}
        </p>
      </div>
    </Container>
  )
}

type PaymentProblemProps = {
  reason: FailureReason | null
  /** Why the status request failed. */
  failure?: Failure
  onRetry?: () => void
}

/** Neither paid nor open, or unknown: what is known, whom to contact, and where to go next. */
function PaymentProblem({ reason, failure, onRetry }: PaymentProblemProps) {
  const { supportEmail } = useSiteConfig()
  const why = failure ? failure.sentence : reasonText(reason)
  return (
    <Container className="py-10 sm:py-16">
      <PageTitle title={SOMETHING_WRONG} />
      <div role="alert" className="mx-auto max-w-140">
        <h1 className="text-2xl font-semibold sm:text-3xl">{SOMETHING_WRONG}</h1>
        {why && <p className="mt-4 text-lg">{why}</p>}
        <p className="mt-4 text-lg text-muted">
          If money has left your account, you’ll find the visit in your visits, or we’ll refund you.
          Write to{' '}
          <a href={`mailto:${supportEmail}`} className={textLinkClass}>
            {supportEmail}
          </a>{' '}
          and we’ll look into it.
        </p>
        {failure?.reference && (
          <p className="mt-2 text-sm text-muted">
            Reference: <span className="tabular select-all">{failure.reference}</span>
          </p>
        )}
      </div>
      <div className="mx-auto mt-8 flex max-w-140 flex-wrap gap-3">
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
        <LinkButton to="/userProfile" hash="visits" variant={onRetry ? 'secondary' : 'primary'}>
          See your visits
        </LinkButton>
        <LinkButton to="/home" variant="secondary">
          Go home
        </LinkButton>
      </div>
    </Container>
  )
}
