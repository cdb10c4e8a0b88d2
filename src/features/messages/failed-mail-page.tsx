import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { RoleReason, useWhyNot } from '#app/parts/role-gate.tsx'
import { StaffHeading } from '#app/parts/staff-heading.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
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

/** `/admin-home/mail`: letters that were tried until they were given up. */
export function FailedMailPage({ page }: { page: number }) {
  const failed = trpc.messages.failed.useQuery({ page }, { refetchOnWindowFocus: 'always' })
  const { data, error, refetch } = failed
  if (data === undefined && error) {
    const { sentence, reference } = describeFailure(error)
    return (
      <Frame>
        <ErrorState
          title="The list did not load"
          sentence={sentence}
          reference={reference}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Frame>
    )
  }
  if (data === undefined) {
    return (
      <Frame>
        <Skeleton className="h-64" />
      </Frame>
    )
  }
  if (data.total === 0) {
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
      <Deliveries failed={data} />
    </Frame>
  )
}
