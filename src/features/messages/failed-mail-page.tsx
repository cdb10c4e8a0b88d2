import { Link } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useId } from 'react'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useWhyNot } from '#app/parts/role-gate.tsx'
import { StaffHeading } from '#app/parts/staff-heading.tsx'
import { trpc } from '#app/trpc.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { PendingShapes } from '#app/ui/pending-shapes.tsx'
import type { FailedPage } from '#contract/messages-staff.ts'
import { FailedRow } from './failed-row.tsx'

function Frame({ lead, children }: { lead?: string; children: ReactNode }) {
  return (
    <>
      <StaffHeading title="Failed mail" lead={lead} />
      <div className="mt-6">{children}</div>
    </>
  )
}

function Deliveries({ failed }: { failed: FailedPage }) {
  const id = useId()
  const isBarred = useWhyNot('retryMail') !== null
  const gate = isBarred ? { disabled: true, 'aria-describedby': id } : { disabled: false }
  return (
    <div className="flex flex-col gap-4">
      <RoleReason act="retryMail" id={id} />
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {failed.deliveries.map((delivery) => (
          <FailedRow key={delivery.id} delivery={delivery} gate={gate} />
        ))}
      </ul>
      <Pagination
        page={failed.current_page}
        pages={failed.total_pages}
        renderLink={(page, props) => (
          <Link to="/admin-home/mail" search={page === 1 ? {} : { page }} {...props} />
        )}
      />
    </div>
  )
}

function Failed({ page }: { page: number }) {
  const [failed] = trpc.messages.failed.useSuspenseQuery(
    { page: useDeferredValue(page) },
    { refetchOnWindowFocus: 'always' },
  )
  if (failed.total === 0) {
    return (
      <Frame>
        <EmptyState title="Everything was delivered">
          A letter is tried for most of a day. One that still could not be delivered is listed here.
        </EmptyState>
      </Frame>
    )
  }
  return (
    <Frame lead="Letters that were tried for most of a day and then given up, the newest first.">
      <Deliveries failed={failed} />
    </Frame>
  )
}

/** `/admin-home/mail`: letters that were tried until they were given up. */
export function FailedMailPage({ page }: { page: number }) {
  return (
    <DataBoundary
      failed="The list did not load"
      renderFrame={(state) => <Frame>{state}</Frame>}
      pending={<PendingShapes shapes={['h-64']} />}
    >
      <Failed page={page} />
    </DataBoundary>
  )
}
