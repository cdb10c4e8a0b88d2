import type { ReactNode } from 'react'
import type { StaffAction } from '#contract/staff.ts'
import { StaffHeading } from './dashboard-heading.tsx'
import { DataBoundary } from './data-boundary.tsx'
import { RoleReason, useStaffRefusal } from './role-guard.tsx'

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
          <DataBoundary failed="The list did not load" pending={pending}>
            {children}
          </DataBoundary>
        )}
      </div>
    </>
  )
}
