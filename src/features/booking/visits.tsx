import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { focusHeading } from '#app/lib/browser-hooks.ts'
import { dayOf, formatDay } from '#app/lib/format/dates.ts'
import { deadlineText, visitHours, visitZone } from '#app/lib/visit-text.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { ProviderPhoto } from '#app/parts/provider-facts.tsx'
import { CalendarButton, JoinVideo } from '#app/parts/visits/visit-buttons.tsx'
import { VisitDetails, VisitHeadline, VisitPlace } from '#app/parts/visits/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Badge, EmptyState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import type { LateFee, Visit, VisitsInput } from '#contract/booking.ts'
import { visitLife } from '#contract/life-cycles/visit.ts'
import { LATE_FEE_NOTE } from '#contract/visits.ts'
import { ContestDialog, canContest } from './visit-dialogs.tsx'

type When = VisitsInput['when']

/** Actions on an upcoming visit, from another feature module. */
export type RenderActions = (visit: Visit) => ReactNode

type PageProps = {
  when: When
  renderActions: RenderActions
  after: string | null
  isLast: boolean
  onMore: (next: string) => void
}

/** One page of a list; the last one ends with a button to load the next. */
function VisitPage({ when, renderActions, after, isLast, onMore }: PageProps) {
  const [{ visits, next }] = useVisits(when, after)
  const first = useRef<HTMLLIElement>(null)
  // The pressed button is gone: the first visit it has brought takes focus, unless the user has gone on.
  useEffect(() => {
    if (after === null || document.activeElement !== document.body) return
    focusHeading(first.current?.querySelector('h4'))
  }, [after])
  const nextId =
    when === 'coming' && after === null
      ? visits.find(({ state }) => state === 'confirmed')?.id
      : undefined
  return (
    <>
      {visits.map((visit, at) => (
        <li key={visit.id} ref={at === 0 ? first : undefined}>
          <VisitCard
            visit={visit}
            isComing={when === 'coming'}
            isNext={visit.id === nextId}
            renderActions={renderActions}
          />
        </li>
      ))}
      {isLast && next !== null && (
        <li>
          <Button variant="secondary" onClick={() => onMore(next)}>
            Show more<span className="sr-only"> {when} visits</span>
          </Button>
        </li>
      )}
    </>
  )
}

type ListProps = { when: When; title: string; total: number; renderActions: RenderActions }

function VisitList({ when, title, total, renderActions }: ListProps) {
  const [cursors, setCursors] = useState<(string | null)[]>([null])
  return (
    <section aria-label={`${title} visits`} className="flex flex-col gap-3">
      <h3 className="font-semibold">
        {title} <span className="tabular font-normal text-muted">({total})</span>
      </h3>
      <ul className="flex flex-col gap-3">
        {cursors.map((after) => (
          <DataBoundary
            key={after}
            failed="More visits didn’t load"
            renderFrame={(state) => <li>{state}</li>}
            pending={<PendingVisits words="Loading more visits" count={1} />}
          >
            <VisitPage
              when={when}
              renderActions={renderActions}
              after={after}
              isLast={after === cursors.at(-1)}
              onMore={(next) => setCursors([...cursors, next])}
            />
          </DataBoundary>
        ))}
      </ul>
    </section>
  )
}

function PendingVisits({ words, count }: { words: string; count: number }) {
  return (
    <>
      <p role="status" className="sr-only">
        {words}
      </p>
      <PendingShapes
        className="flex flex-col gap-3"
        shapes={Array.from({ length: count }, (_, at) =>
          at === 0 && count > 1 ? 'h-72 w-full rounded-card' : 'h-36 w-full rounded-card',
        )}
      />
    </>
  )
}

/** The patient's visits on `/userProfile`, coming and past. */
export function Visits({ renderActions }: { renderActions: RenderActions }) {
  return (
    <DataBoundary
      failed="Your visits didn’t load"
      pending={<PendingVisits words="Loading your visits" count={2} />}
    >
      <Lists renderActions={renderActions} />
    </DataBoundary>
  )
}

function Lists({ renderActions }: { renderActions: RenderActions }) {
  const [coming] = useVisits('coming', null)
  const [past] = useVisits('past', null)
  const counts = { coming: coming.total, past: past.total }
  if (counts.coming + counts.past === 0) {
    return (
      <EmptyState
        title="No visits yet"
        actions={<LinkButton to="/home">Find a doctor or dentist</LinkButton>}
      >
        <p>Visits you book will appear here.</p>
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-8">
      {counts.coming > 0 ? (
        <VisitList
          when="coming"
          title="Upcoming"
          total={counts.coming}
          renderActions={renderActions}
        />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-dashed border-field p-4">
          <p>No upcoming visits.</p>
          <LinkButton to="/home" variant="secondary">
            Find a doctor or dentist
          </LinkButton>
        </div>
      )}
      {counts.past > 0 && (
        <VisitList when="past" title="Past" total={counts.past} renderActions={renderActions} />
      )}
    </div>
  )
}

type VisitCardProps = {
  visit: Visit
  isComing: boolean
  /** The next upcoming visit, which people most often open their account for. */
  isNext: boolean
  renderActions: RenderActions
}

function ProviderName({ visit: { provider, distance, region } }: { visit: Visit }) {
  return (
    <Link
      to="/doctor-profile/$id/$distance"
      params={{ id: provider.id, distance: distance ?? '0' }}
      search={{ region }}
      className="font-display leading-tight font-medium text-ink decoration-1 underline-offset-[0.2em] hover:text-brand-deep hover:underline"
    >
      {provider.name}
    </Link>
  )
}

function VisitCalendarButton({ visit }: { visit: Visit }) {
  const { provider, startsAt, timeZone } = visit
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  return <CalendarButton visit={visit} what={`${provider.name}, ${day}`} />
}

/** Button to join a video visit, when it is time. */
function PatientJoin({ visit }: { visit: Visit }) {
  return (
    <JoinVideo
      visit={visit}
      who={visit.provider.name}
      whenMissing={errorMessage('video_way_missing')}
    />
  )
}

/** The next visit in full: time in the largest type, provider, place, and calendar button. */
function NextVisit({ visit, renderActions }: Pick<VisitCardProps, 'visit' | 'renderActions'>) {
  // A proposal of the provider takes the full width.
  const isAsked = visit.proposed !== null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 p-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] sm:p-6">
      <VisitHeadline visit={visit} as="h4" name={<ProviderName visit={visit} />} />
      <div className="flex flex-col items-start justify-between gap-4">
        <div className="flex flex-col gap-2">
          <p>
            <VisitPlace visit={visit} />
          </p>
          <p className="text-sm text-muted">
            Reference <span className="tabular select-all">{visit.reference}</span>
          </p>
        </div>
        <div className="flex flex-col items-start gap-3">
          <PatientJoin visit={visit} />
          <VisitCalendarButton visit={visit} />
          {!isAsked && renderActions(visit)}
        </div>
      </div>
      {isAsked && <div className="sm:col-span-2">{renderActions(visit)}</div>}
    </div>
  )
}

const claimText = {
  open: 'You told us what happened. We’ll email you our decision.',
  upheld: 'We’ve looked into this visit and corrected it.',
  rejected: 'We’ve looked into this visit. It still counts as missed.',
  settled: 'Your provider has corrected this visit.',
} as const

/** Shows that a visit was missed or did not take place, with a button to contest it. */
function VisitOutcome({ visit }: { visit: Visit }) {
  const [isContesting, setContesting] = useState(false)
  const { outcome, claim } = visit.outcome
  if (claim === null && (outcome === null || outcome === 'completed')) return null
  return (
    <div className="mt-2 flex flex-col items-start gap-2">
      {outcome === 'no_show' && <Badge tone="accent">Missed</Badge>}
      {outcome === 'not_held' && <Badge>Didn’t take place</Badge>}
      {claim !== null && <p className="text-sm text-muted">{claimText[claim]}</p>}
      {canContest(visit) && (
        <>
          <p className="text-sm text-muted">
            Your provider says you didn’t come. If that’s wrong, tell us by{' '}
            {deadlineText(visit.outcome.contestUntil ?? visit.endsAt, visit.timeZone)}.
          </p>
          <Button variant="secondary" onClick={() => setContesting(true)}>
            That’s not right<span className="sr-only">: {visit.provider.name}</span>
          </Button>
        </>
      )}
      {isContesting && <ContestDialog visit={visit} onClose={() => setContesting(false)} />}
    </div>
  )
}

/** The fee kept for a late cancellation, and when it is refunded. */
function lateFeeText({ amount, state }: LateFee, isComing: boolean): string {
  const fee = formatExactMoney(amount)
  if (state === 'returned') return `Someone else took your time, so we’ve refunded the fee: ${fee}.`
  if (state === 'kept') return `${fee} was kept because you cancelled late.`
  return isComing
    ? `${fee} is kept because you cancelled late. ${LATE_FEE_NOTE}`
    : `${fee} is kept because you cancelled late. If someone else took your time, you get the full fee back within three days.`
}

function VisitRow({ visit, isComing }: Pick<VisitCardProps, 'visit' | 'isComing'>) {
  const { provider, startsAt, timeZone, place } = visit
  const date = dayOf(startsAt, timeZone)
  return (
    <div className="flex gap-4 p-4 sm:p-5 @max-[16rem]:flex-col">
      <ProviderPhoto name={provider.name} photo={provider.photo} size="small" />
      <div className="min-w-0 flex-1">
        <h4 className="tabular text-lg leading-tight font-semibold">
          {formatDay(date, timeZone, 'long')} {!isComing && date.slice(0, 4)}
        </h4>
        <p className="tabular">
          {visitHours(visit)}{' '}
          <span className="inline-block text-sm text-muted">({visitZone(visit)})</span>
        </p>
        <p className="mt-1 text-lg">
          <ProviderName visit={visit} />
          <span className="block text-base text-muted">
            {provider.specialty}, {visit.mode === 'video' ? 'video visit' : place.name}
          </span>
        </p>
        <p className="mt-1 text-sm text-muted">
          Reference <span className="tabular select-all">{visit.reference}</span>
        </p>
        {visit.state === 'cancelled' && (
          <p className="mt-2">
            <Badge>Cancelled</Badge>
          </p>
        )}
        {visit.lateFee !== null && (
          <p className="mt-2 text-sm text-muted">{lateFeeText(visit.lateFee, isComing)}</p>
        )}
        <VisitOutcome visit={visit} />
        {visit.mode === 'video' && (
          <div className="mt-3">
            <PatientJoin visit={visit} />
          </div>
        )}
      </div>
    </div>
  )
}

/** One visit in the list: time and provider, with details when expanded. */
function VisitCard({ visit, isComing, isNext, renderActions }: VisitCardProps) {
  const { provider, startsAt, timeZone } = visit
  const day = formatDay(dayOf(startsAt, timeZone), timeZone, 'long')
  return (
    <article className="@container rounded-card border border-line bg-surface">
      {isNext ? (
        <NextVisit visit={visit} renderActions={renderActions} />
      ) : (
        <VisitRow visit={visit} isComing={isComing} />
      )}
      <details open={!isNext && visit.proposed !== null} className="group border-t border-line">
        <summary className="flex min-h-11 list-none items-center justify-between gap-2 px-4 font-medium text-brand-deep sm:px-5 [&::-webkit-details-marker]:hidden">
          <span>
            Details
            <span className="sr-only">
              {' '}
              of {day} with {provider.name}
            </span>
          </span>
          <ChevronDown
            aria-hidden="true"
            className="size-5 transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <div className="flex flex-col gap-5 px-4 pb-5 sm:px-5">
          <VisitDetails visit={visit} isShort />
          {!isComing && (
            <div>
              <LinkButton
                to="/doctor-profile/$id/$distance"
                params={{ id: provider.id, distance: visit.distance ?? '0' }}
                search={{ region: visit.region }}
                hash="times"
                variant="secondary"
              >
                Book again<span className="sr-only"> with {provider.name}</span>
              </LinkButton>
            </div>
          )}
          {isComing && !isNext && visitLife.may('cancel', visit.state, 'patient') && (
            <div className="flex flex-wrap gap-3">
              <VisitCalendarButton visit={visit} />
              {renderActions(visit)}
            </div>
          )}
        </div>
      </details>
    </article>
  )
}

/** One page of the viewer's visits: coming ones soonest first, past ones latest first. */
function useVisits(when: VisitsInput['when'], after: string | null) {
  // Refetched because the user has often just booked.
  return trpc.booking.visits.useSuspenseQuery(
    { when, ...(after !== null && { after }) },
    { staleTime: 0 },
  )
}
