import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { VisitsInput } from '#contract/booking.ts'
import { useVisits } from './use-visits.ts'
import { VisitCard } from './visit-card.tsx'

type When = VisitsInput['when']

type PageProps = {
  when: When
  after: string | null
  isLast: boolean
  onMore: (next: string) => void
}

/** One page of a list, and below the last of them the way to the next. */
function VisitPage({ when, after, isLast, onMore }: PageProps) {
  const { data, error, refetch } = useVisits(when, after)
  if (error !== null && data === undefined) {
    return (
      <li className="flex flex-wrap items-center gap-3">
        <p role="alert">{describeFailure(error).sentence}</p>
        <Button variant="secondary" onClick={() => void refetch()}>
          Try again
        </Button>
      </li>
    )
  }
  if (data === undefined) {
    return (
      <li>
        <p role="status" className="sr-only">
          Loading more visits
        </p>
        <Skeleton className="h-32 w-full rounded-card" />
      </li>
    )
  }
  const { next } = data
  return (
    <>
      {data.visits.map((visit) => (
        <li key={visit.id}>
          <VisitCard visit={visit} isComing={when === 'coming'} />
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

type ListProps = { when: When; title: string; total: number }

function VisitList({ when, title, total }: ListProps) {
  const [cursors, setCursors] = useState<(string | null)[]>([null])
  return (
    <section aria-label={`${title} visits`} className="flex flex-col gap-3">
      <h3 className="font-semibold">
        {title} <span className="tabular font-normal text-muted">({total})</span>
      </h3>
      <ul className="flex flex-col gap-3">
        {cursors.map((after) => (
          <VisitPage
            key={after}
            when={when}
            after={after}
            isLast={after === cursors.at(-1)}
            onMore={(next) => setCursors([...cursors, next])}
          />
        ))}
      </ul>
    </section>
  )
}

/** The patient's visits on `/userProfile`, coming and past. */
export function Visits() {
  const coming = useVisits('coming', null)
  const past = useVisits('past', null)
  const error = coming.error ?? past.error
  if (error !== null && (coming.data === undefined || past.data === undefined)) {
    const { sentence, reference } = describeFailure(error)
    return (
      <ErrorState
        title="Your visits did not load"
        sentence={sentence}
        reference={reference}
        actions={
          <Button
            onClick={() => {
              void coming.refetch()
              void past.refetch()
            }}
          >
            Try again
          </Button>
        }
      />
    )
  }
  if (coming.data === undefined || past.data === undefined) {
    return (
      <div className="flex flex-col gap-3">
        <p role="status" className="sr-only">
          Loading your visits
        </p>
        <Skeleton className="h-32 w-full rounded-card" />
        <Skeleton className="h-32 w-full rounded-card" />
      </div>
    )
  }
  const counts = { coming: coming.data.total, past: past.data.total }
  if (counts.coming + counts.past === 0) {
    return (
      <EmptyState
        title="No visits yet"
        actions={<LinkButton to="/home">Find a doctor or dentist</LinkButton>}
      >
        <p>What you book here will stand in this place, with when and where.</p>
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-8">
      {counts.coming > 0 ? (
        <VisitList when="coming" title="Coming" total={counts.coming} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-dashed border-field p-4">
          <p>Nothing booked at the moment.</p>
          <LinkButton to="/home" variant="secondary">
            Find a doctor or dentist
          </LinkButton>
        </div>
      )}
      {counts.past > 0 && <VisitList when="past" title="Past" total={counts.past} />}
    </div>
  )
}
