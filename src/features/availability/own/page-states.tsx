import type { ReactNode } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Availability } from '#contract/availability.ts'
import { useMine } from './use-mine.ts'

type HoursPageProps = {
  title: string
  /** The page once everything is there. */
  children: (mine: Availability) => ReactNode
}

/** A page about the viewer's hours: its heading, and what stands in while they are on their way. */
export function HoursPage({ title, children }: HoursPageProps) {
  return (
    <DashboardHeading title={title}>
      <Body>{children}</Body>
    </DashboardHeading>
  )
}

function Body({ children }: Pick<HoursPageProps, 'children'>) {
  const { data, error, refetch } = useMine()
  if (data === undefined && error) {
    const { sentence, reference } = describeFailure(error)
    return (
      <div className="mt-6">
        <ErrorState
          title="Your hours did not load"
          sentence={sentence}
          reference={reference}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </div>
    )
  }
  if (data === undefined) {
    return (
      <div aria-busy="true" className="mt-6 flex flex-col gap-6">
        <Skeleton className="h-14" />
        <Skeleton className="h-128" />
      </div>
    )
  }
  if (data.places.length === 0) {
    return (
      <div className="mt-6">
        <EmptyState
          title="First add a place"
          actions={
            <LinkButton to="/doctor/profile" hash="places">
              Add a place
            </LinkButton>
          }
        >
          Hours belong to a place where you see patients.
        </EmptyState>
      </div>
    )
  }
  return children(data)
}
