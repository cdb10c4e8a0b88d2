import type { ReactNode } from 'react'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { PendingShapes } from '#app/ui/pending-shapes.tsx'
import type { Availability } from '#contract/availability.ts'

type HoursPageProps = {
  title: string
  /** The page once everything is there. */
  children: (mine: Availability) => ReactNode
}

/** A page about the viewer's hours: its heading, and what stands in while they are on their way. */
export function HoursPage({ title, children }: HoursPageProps) {
  return (
    <DashboardHeading title={title}>
      <DataBoundary
        failed="Your hours did not load"
        renderFrame={(state) => <div className="mt-6">{state}</div>}
        pending={<PendingShapes shapes={['h-14', 'h-128']} />}
      >
        <Body>{children}</Body>
      </DataBoundary>
    </DashboardHeading>
  )
}

function Body({ children }: Pick<HoursPageProps, 'children'>) {
  const [mine] = trpc.availability.mine.useSuspenseQuery()
  if (mine.places.length === 0) {
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
  return children(mine)
}
