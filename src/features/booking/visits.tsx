import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useVisits } from './use-visits.ts'
import { VisitCard } from './visit-card.tsx'

type ListProps = { title: string; isComing: boolean; visits: ReturnType<typeof useVisits> }

function VisitList({ title, isComing, visits }: ListProps) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = visits
  const shown = data?.pages.flatMap((page) => page.visits) ?? []
  const total = data?.pages.at(-1)?.total ?? 0
  if (shown.length === 0) return null
  return (
    <section aria-label={`${title} visits`} className="flex flex-col gap-3">
      <h3 className="font-semibold">
        {title} <span className="tabular font-normal text-muted">({total})</span>
      </h3>
      <ul className="flex flex-col gap-3">
        {shown.map((visit) => (
          <li key={visit.id}>
            <VisitCard visit={visit} isComing={isComing} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button
            variant="secondary"
            isBusy={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Show more<span className="sr-only"> {title.toLowerCase()} visits</span>
          </Button>
        </div>
      )}
      <p role="status" className="text-sm text-danger empty:hidden">
        {isFetchNextPageError && 'The others did not load. Press once more.'}
      </p>
    </section>
  )
}

/** The patient's visits on `/userProfile`, coming and past. */
export function Visits() {
  const coming = useVisits('coming')
  const past = useVisits('past')
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
  const hasComing = coming.data.pages.some((page) => page.visits.length > 0)
  const hasPast = past.data.pages.some((page) => page.visits.length > 0)
  if (!hasComing && !hasPast) {
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
      {hasComing ? (
        <VisitList title="Coming" isComing visits={coming} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-dashed border-field p-4">
          <p>Nothing booked at the moment.</p>
          <LinkButton to="/home" variant="secondary">
            Find a doctor or dentist
          </LinkButton>
        </div>
      )}
      <VisitList title="Past" isComing={false} visits={past} />
    </div>
  )
}
