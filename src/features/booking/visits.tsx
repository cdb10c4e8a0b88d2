import { useState } from 'react'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { PendingShapes } from '#app/ui/pending-shapes.tsx'
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
  const [{ visits, next }] = useVisits(when, after)
  return (
    <>
      {visits.map((visit) => (
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
          <DataBoundary
            key={after}
            failed="More visits did not load"
            renderFrame={(state) => <li>{state}</li>}
            pending={<Coming words="Loading more visits" count={1} />}
          >
            <VisitPage
              when={when}
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

function Coming({ words, count }: { words: string; count: number }) {
  return (
    <>
      <p role="status" className="sr-only">
        {words}
      </p>
      <PendingShapes
        className="flex flex-col gap-3"
        shapes={Array.from({ length: count }, () => 'h-32 w-full rounded-card')}
      />
    </>
  )
}

/** The patient's visits on `/userProfile`, coming and past. */
export function Visits() {
  return (
    <DataBoundary
      failed="Your visits did not load"
      pending={<Coming words="Loading your visits" count={2} />}
    >
      <Lists />
    </DataBoundary>
  )
}

function Lists() {
  const [coming] = useVisits('coming', null)
  const [past] = useVisits('past', null)
  const counts = { coming: coming.total, past: past.total }
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
