import { UserPlus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { RoleReason, useWhyNot } from '#app/parts/role-gate.tsx'
import { StaffHeading } from '#app/parts/staff-heading.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { SuperUser } from '#contract/super-users.ts'
import { AddDialog } from './add-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { StaffTable } from './staff-table.tsx'
import { useSuperUsers } from './use-super-users.ts'

type Open = { what: 'add' } | { what: 'edit' | 'delete'; user: SuperUser } | null

function Waiting() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-28 md:h-16" />
      ))}
    </div>
  )
}

function NotLoaded({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { sentence, reference } = describeFailure(error)
  return (
    <ErrorState
      title="The list did not load"
      sentence={sentence}
      reference={reference}
      actions={<Button onClick={onAgain}>Try again</Button>}
    />
  )
}

/** `/admin-home/superusers`: who works here and what they may do. */
export function SuperUsersPage() {
  const reasonId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<Open>(null)
  const isBarred = useWhyNot('manageStaff') !== null
  const { data, error, refetch } = useSuperUsers()
  const users = data?.users
  const close = () => setOpen(null)
  return (
    <>
      <StaffHeading
        title="Super Users"
        lead="Who is on the staff, and what their role allows."
        aside={
          <Button
            disabled={isBarred}
            {...(isBarred && { 'aria-describedby': reasonId })}
            onClick={() => setOpen({ what: 'add' })}
          >
            <UserPlus aria-hidden="true" strokeWidth={1.75} className="size-5" />
            Add New User
          </Button>
        }
      />
      <RoleReason act="manageStaff" id={reasonId} className="mt-4" />
      <div ref={list} tabIndex={-1} className="mt-6 outline-none">
        {users === undefined && error && <NotLoaded error={error} onAgain={() => void refetch()} />}
        {users === undefined && !error && <Waiting />}
        {users?.length === 0 && <EmptyState title="No admin users found." />}
        {users !== undefined && users.length > 0 && (
          <StaffTable
            users={users}
            barredBy={isBarred ? reasonId : null}
            onEdit={(user) => setOpen({ what: 'edit', user })}
            onDelete={(user) => setOpen({ what: 'delete', user })}
          />
        )}
      </div>
      {open?.what === 'add' && <AddDialog onClose={close} />}
      {open?.what === 'edit' && <EditDialog user={open.user} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteDialog
          user={open.user}
          onClose={close}
          onDeleted={() => {
            close()
            // The button that had focus is gone together with its row.
            list.current?.focus()
          }}
        />
      )}
    </>
  )
}
