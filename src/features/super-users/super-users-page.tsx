import { UserPlus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { StaffHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useWhyNot } from '#app/parts/role-gate.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import type { SuperUser } from '#contract/super-users.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { StaffTable, type StaffTableProps } from './staff-table.tsx'
import { AddDialog, EditDialog } from './super-user-dialogs.tsx'

type Open = { what: 'add' } | { what: 'edit' | 'delete'; user: SuperUser } | null

const ROWS = Array.from({ length: 4 }, () => 'h-28 md:h-16')

function Users(props: Omit<StaffTableProps, 'users'>) {
  // Always fetched anew: half a minute is too old for permissions.
  const [{ users }] = trpc.superUsers.list.useSuspenseQuery(undefined, { staleTime: 0 })
  if (users.length === 0) return <EmptyState title="No admin users found." />
  return <StaffTable users={users} {...props} />
}

/** `/admin-home/superusers`: the staff members and their roles. */
export function SuperUsersPage() {
  const reasonId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<Open>(null)
  const isBarred = useWhyNot('manageStaff') !== null
  const close = () => setOpen(null)
  return (
    <>
      <StaffHeading
        title="Super Users"
        lead="Everyone on the staff, and what their role lets them do."
        aside={
          <Button
            disabled={isBarred}
            {...(isBarred && { 'aria-describedby': reasonId })}
            onClick={() => setOpen({ what: 'add' })}
          >
            <UserPlus aria-hidden="true" className="size-5" />
            Add New User
          </Button>
        }
      />
      <RoleReason act="manageStaff" id={reasonId} className="mt-4" />
      <div ref={list} tabIndex={-1} className="mt-6 outline-none">
        <DataBoundary
          failed="The list did not load"
          pending={<PendingShapes className="flex flex-col gap-3" shapes={ROWS} />}
        >
          <Users
            barredBy={isBarred ? reasonId : null}
            onEdit={(user) => setOpen({ what: 'edit', user })}
            onDelete={(user) => setOpen({ what: 'delete', user })}
          />
        </DataBoundary>
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
