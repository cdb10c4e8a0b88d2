import type { ReactNode } from 'react'
import { PageTitle } from '#app/ui/page.tsx'
import type { StaffAction } from '#contract/staff.ts'
import { DataBoundary } from './data-boundary.tsx'
import { RoleReason, useStaffRefusal } from './role-guard.tsx'

type DashboardHeadingProps = { title: string; children?: ReactNode }

/** The title of a dashboard page, in the browser tab and as its heading; `children` follow below. */
export function DashboardHeading({ title, children }: DashboardHeadingProps) {
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-2xl font-semibold md:text-3xl">{title}</h1>
      {children}
    </>
  )
}

type StaffHeadingProps = {
  title: string
  /** Title of the browser tab, where the heading alone would not say enough. */
  tab?: string
  /** What the page is for, in a line. */
  lead?: ReactNode
  /** At the right of the heading on wide screens, below it on narrow ones. */
  aside?: ReactNode
}

/** The title of a staff page, in the browser tab and as its heading. */
export function StaffHeading({ title, tab = title, lead, aside }: StaffHeadingProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <PageTitle title={tab} />
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold md:text-3xl">{title}</h1>
        {lead && <p className="mt-1 max-w-prose text-muted">{lead}</p>}
      </div>
      {aside}
    </div>
  )
}

type StaffListPageProps = {
  title: string
  lead: string
  /** What the user's role must allow. */
  act: StaffAction
  pending: ReactNode
  /** The list; reads with `useSuspenseQuery`. */
  children: ReactNode
}

/** A list for some roles of staff: its heading, and the list or why there is none. */
export function StaffListPage({ title, lead, act, pending, children }: StaffListPageProps) {
  const isRefused = useStaffRefusal(act) !== null
  return (
    <>
      <StaffHeading title={title} lead={lead} />
      <div className="mt-6">
        {isRefused ? (
          <RoleReason act={act} />
        ) : (
          <DataBoundary failed="The list didn’t load" pending={pending}>
            {children}
          </DataBoundary>
        )}
      </div>
    </>
  )
}
