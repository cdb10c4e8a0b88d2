import { useMutation } from '@tanstack/react-query'
import { CircleX } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatDay } from '#app/lib/format/dates.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { cancellationSentence, missedSentence, visitTypeText } from '#app/lib/visit-text.ts'
import { DataBoundary, LoadFailure, type LoadFailureProps } from '#app/parts/data-boundary.tsx'
import { CalendarButton } from '#app/parts/visits/visit-buttons.tsx'
import {
  Fact,
  FactList,
  PhoneLink,
  paidBy,
  VisitHeadline,
  VisitMoves,
  VisitPlace,
} from '#app/parts/visits/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import { ErrorState, Notice } from '#app/ui/notice.tsx'
import { Card, Container, PageTitle, PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import type { LinkedVisit, VisitLink } from '#contract/visits.ts'
import { refundTargets } from './cancel-question.tsx'
import type { RenderPicker } from './move-parts.tsx'
import { ProposedTimesList, TIME_KEPT } from './proposed-times.tsx'
import { LinkCancelDialog, LinkConfirmStep, LinkMoveDialog } from './visit-actions.tsx'

type RenderMap = (visit: LinkedVisit) => ReactNode

/** "We’re refunding £30.00 of £60.00 to your card.": what a cancelled visit's patient gets back. */
function refundSentence({ cancelled, fee, paymentMethod }: LinkedVisit): string {
  const { refund = null, kept = null } = cancelled ?? {}
  if (refund === null) return 'We’ll email you about your refund.'
  const way = refundTargets[paymentMethod]
  if (refund.minor > 0) {
    const isAll = refund.minor === fee.minor
    const amount = isAll
      ? `${formatExactMoney(refund)} in full`
      : `${formatExactMoney(refund)} of ${formatExactMoney(fee)}`
    return `We’re refunding ${amount} to ${way}. Banks can take up to ten days to show it.`
  }
  return (kept?.minor ?? 0) > 0
    ? 'It was too late for a refund.'
    : 'Your payment had already been refunded.'
}

function Cancelled({ visit }: { visit: LinkedVisit }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [wasCancelled] = useState(visit.state === 'cancelled')
  const isCancelled = visit.state === 'cancelled'
  // The pressed button is gone: after cancelling, the heading takes focus.
  useEffect(() => {
    if (isCancelled && !wasCancelled) heading.current?.focus()
  }, [isCancelled, wasCancelled])
  return (
    <>
      <PageTitle title={isCancelled ? 'Visit cancelled' : 'Your visit'} />
      <h1
        ref={heading}
        tabIndex={-1}
        className="flex items-center gap-2 text-lg font-semibold outline-none"
      >
        {isCancelled && <CircleX aria-hidden="true" className="size-6 shrink-0 text-danger" />}
        {isCancelled ? 'This visit is cancelled' : 'Your visit'}
      </h1>
    </>
  )
}

type VisitChangesProps = { visit: LinkedVisit; link: VisitLink; renderPicker: RenderPicker }

/** Actions on an upcoming visit, and what they cost. */
function VisitChanges({ visit, link, renderPicker }: VisitChangesProps) {
  const [act, setAct] = useState<'move' | 'cancel' | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { provider, startsAt, timeZone, terms } = visit
  if (terms === null) {
    return (
      <Notice title="This visit has started">
        <p>
          It can’t be changed online any more.
          {provider.phone !== null && (
            <>
              {' '}
              If you need to reach the practice, call <PhoneLink phone={provider.phone} />.
            </>
          )}
        </p>
      </Notice>
    )
  }
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  const which = (
    <span className="sr-only">
      {' '}
      with {provider.name}, {day}
    </span>
  )
  return (
    <section aria-labelledby="changing" className="flex flex-col gap-4">
      <LinkProposedTimes link={link} visit={visit} onAnswered={() => heading.current?.focus()} />
      <div>
        <h2
          id="changing"
          ref={heading}
          tabIndex={-1}
          className="text-lg font-semibold outline-none"
        >
          Can’t come?
        </h2>
        <p className="mt-1 max-w-prose">
          {cancellationSentence(visit, visit.typeOfVisit, visit.fee)}{' '}
          {missedSentence(visit, visit.fee)}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => setAct('move')}>
          Move visit{which}
        </Button>
        <Button variant="dangerQuiet" onClick={() => setAct('cancel')}>
          Cancel visit{which}
        </Button>
      </div>
      {act === 'move' && (
        <LinkMoveDialog
          link={link}
          visit={visit}
          renderPicker={renderPicker}
          onClose={() => setAct(null)}
          onCancel={() => setAct('cancel')}
        />
      )}
      {act === 'cancel' && (
        <LinkCancelDialog link={link} visit={visit} onClose={() => setAct(null)} />
      )}
    </section>
  )
}

/** Replaces the visit once it is cancelled: the refund, and what to do next. */
function RefundSection({ visit }: { visit: LinkedVisit }) {
  const { provider, region, cancelled } = visit
  return (
    <section aria-label="Your refund" className="flex flex-col gap-4">
      {cancelled?.by === 'provider' && <p>{provider.name} had to cancel. We’re sorry.</p>}
      <Notice kind={cancelled?.refund?.minor === 0 ? 'info' : 'ok'} title="Your refund">
        <p>{refundSentence(visit)}</p>
      </Notice>
      <div className="flex flex-wrap gap-3">
        <LinkButton
          to="/doctor-profile/$id/$distance"
          params={{ id: provider.id, distance: '0' }}
          search={{ region }}
          hash="times"
        >
          Book another time
        </LinkButton>
        <LinkButton to="/home" variant="secondary">
          Find another provider
        </LinkButton>
      </div>
    </section>
  )
}

function Details({ visit }: { visit: LinkedVisit }) {
  const { provider } = visit
  return (
    <FactList>
      {provider.phone !== null && (
        <Fact name="Practice phone">
          <PhoneLink phone={provider.phone} />
        </Fact>
      )}
      <Fact name="Visit">{visitTypeText(visit)}</Fact>
      <Fact name="Paid">
        <span className="tabular">{formatExactMoney(visit.fee)}</span> {paidBy[visit.paymentMethod]}
      </Fact>
      <Fact name="Reference">
        <span className="tabular font-semibold whitespace-nowrap select-all">
          {visit.reference}
        </span>
      </Fact>
      <VisitMoves visit={visit} />
    </FactList>
  )
}

/** Link to the account for everything else about the visit. */
function Account({ link, isCancelled }: { link: VisitLink; isCancelled: boolean }) {
  const isSignedIn = useSignedInUser() !== null
  // The server renders the page as for a visitor: whether the visit is the user's is fetched again here.
  const { data } = trpc.visits.byLink.useQuery(link, { enabled: isSignedIn, staleTime: 0 })
  return (
    <p className="mt-6 max-w-prose text-sm text-muted">
      Anyone with this link can {isCancelled ? 'see' : 'see, move and cancel'} the visit, so don’t
      share the email.{' '}
      {isSignedIn && data?.isOwn === true && (
        <TextLink to="/userProfile">Open in your account</TextLink>
      )}
      {!isSignedIn && (
        <TextLink to="/sign-in" search={{ next: '/userProfile' }}>
          Sign in to see all your visits
        </TextLink>
      )}
    </p>
  )
}

type LoadedVisitProps = { link: VisitLink; renderMap: RenderMap; renderPicker: RenderPicker }

function LoadedVisit({ link, renderMap, renderPicker }: LoadedVisitProps) {
  const [visit] = trpc.visits.byLink.useSuspenseQuery(link)
  const { provider, startsAt, timeZone, calendarFile } = visit
  const isCancelled = visit.state === 'cancelled'
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  return (
    <>
      <Card className="flex flex-col gap-6 sm:p-8">
        <Cancelled visit={visit} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 md:grid-cols-2">
          <VisitHeadline visit={visit} />
          <div className="flex flex-col gap-3">
            {visit.mode === 'in_person' && (
              <div className="no-print h-44 overflow-hidden rounded-card border border-line bg-sunken">
                {renderMap(visit)}
              </div>
            )}
            <div>
              <VisitPlace visit={visit} />
            </div>
          </div>
        </div>
        {!isCancelled && calendarFile !== null && (
          <CalendarButton
            visit={visit}
            file={calendarFile}
            what={`${provider.name}, ${day}`}
            variant="primary"
          />
        )}
        <div className="border-t border-line pt-6">
          {isCancelled ? (
            <RefundSection visit={visit} />
          ) : (
            <VisitChanges visit={visit} link={link} renderPicker={renderPicker} />
          )}
        </div>
        <div className="border-t border-line pt-6">
          <Details visit={visit} />
        </div>
      </Card>
      <Account link={link} isCancelled={isCancelled} />
    </>
  )
}

const DEAD_LINK_CODES = new Set(['visit_link_invalid', 'invalid_input'])

function LinkNotFound(failure: LoadFailureProps) {
  const { code } = describeFailure(failure.error)
  if (!DEAD_LINK_CODES.has(code)) return <LoadFailure {...failure} />
  return (
    <>
      <PageTitle title="Link no longer works" />
      <h1 className="sr-only">Your visit</h1>
      <ErrorState
        title="This link doesn’t work any more"
        sentence="Links in emails work until the visit is over, and only for the email address they were sent to. You’ll find all your visits in your account."
        reference={null}
        actions={
          <>
            <LinkButton to="/sign-in" search={{ next: '/userProfile' }}>
              Sign in
            </LinkButton>
            <LinkButton to="/contact-us" variant="secondary">
              Contact us
            </LinkButton>
          </>
        }
      />
    </>
  )
}

/**
 * `/visit/{id}/{mac}`: the page behind the link in emails about a visit. Email scanners open every link, so
 * only its buttons change anything.
 */
export function VisitLinkPage(props: LoadedVisitProps) {
  return (
    <Container className="py-8 sm:py-12">
      <PageTitle title="Your visit" />
      <div className="mx-auto max-w-220">
        <DataBoundary
          failed="Your visit didn’t load"
          pending={<PendingShapes className="flex flex-col gap-4" shapes={['h-72', 'h-40']} />}
          renderFailure={(failure) => <LinkNotFound {...failure} />}
        >
          <LoadedVisit {...props} />
        </DataBoundary>
      </div>
    </Container>
  )
}

type Linked = { link: VisitLink; visit: LinkedVisit }
type LinkProposalProps = Linked & {
  proposed: NonNullable<LinkedVisit['proposed']>
  /** Called when the question leaves the page, so that focus moves elsewhere. */
  onAnswered: () => void
}

function LinkProposal({ link, visit, proposed, onAnswered }: LinkProposalProps) {
  const { client, visits, availability } = trpc.useUtils()
  const keeping = useMutation({
    mutationFn: () => client.visits.keepTimeByLink.mutate({ ...link, at: proposed.at }),
    onSuccess: ({ visit: kept }) => {
      visits.byLink.setData(link, kept)
      void showToast(TIME_KEPT)
      onAnswered()
    },
    // Shows what has changed, or the result of a lost response, before asking again.
    onError: () => visits.invalidate(),
  })
  return (
    <ProposedTimesList
      visit={visit}
      proposed={proposed}
      keeping={keeping}
      renderConfirm={({ onMoved, ...step }) => (
        <LinkConfirmStep
          {...step}
          link={link}
          visit={visit}
          onMoved={async (moved) => {
            await onMoved(moved)
            onAnswered()
          }}
        />
      )}
      onChanged={() => Promise.all([visits.invalidate(), availability.invalidate()])}
    />
  )
}

/** The times proposed for the visit of an email's link. Nothing without a proposal. */
function LinkProposedTimes(props: Linked & Pick<LinkProposalProps, 'onAnswered'>) {
  const { proposed } = props.visit
  // A new proposal starts with fresh state.
  return proposed === null ? null : (
    <LinkProposal key={proposed.at} {...props} proposed={proposed} />
  )
}
