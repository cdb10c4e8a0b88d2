import { useMutation } from '@tanstack/react-query'
import { Pencil, Trash2, UserPlus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useOpened } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { StaffHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { StepUpDialog, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { FailureBox } from '#app/ui/form-frame.tsx'
import { Badge, EmptyState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { SuperUser } from '#contract/super-users.ts'
import {
  AddDialog,
  deleteFailureText,
  EditDialog,
  useInvalidateSuperUsers,
} from './super-user-dialogs.tsx'

type Open = { what: 'add' } | { what: 'edit' | 'delete'; user: SuperUser }

const SKELETON_SHAPES = Array.from({ length: 4 }, () => 'h-28 md:h-16')

function Users(props: Omit<StaffTableProps, 'users'>) {
  // Always fetched again: half a minute is too old for permissions.
  const [{ users }] = trpc.superUsers.list.useSuspenseQuery(undefined, { staleTime: 0 })
  if (users.length === 0) return <EmptyState title="No admin users found." />
  return <StaffTable users={users} {...props} />
}

/** `/admin-home/superusers`: the staff members and their roles. */
export function SuperUsersPage() {
  const reasonId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen, close] = useOpened<Open>()
  const isBarred = useStaffRefusal('manageStaff') !== null
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
          failed="The list didn’t load"
          pending={<PendingShapes className="flex flex-col gap-3" shapes={SKELETON_SHAPES} />}
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

type DeleteDialogProps = {
  user: SuperUser
  onClose: () => void
  onDeleted: () => void
}

/** Confirms removing a staff member, naming them. */
function DeleteDialog({ user, onClose, onDeleted }: DeleteDialogProps) {
  const { client, superUsers } = trpc.useUtils()
  const proof = useStepUpState()
  const invalidate = useInvalidateSuperUsers()
  const [seen, setSeen] = useState(user)
  const { id, email, role } = seen
  const remove = useMutation({
    mutationFn: () => proof.prove(() => client.superUsers.remove.mutate({ id, email, role })),
    onSuccess: async () => {
      await invalidate()
      onDeleted()
      void showToast(`${email} was removed.`)
    },
    onError: async (error) => {
      const failure = describeFailure(error)
      if (failure.code === 'step_up_required') return
      void showToast(deleteFailureText(failure))
      // Someone else may have changed them, as the message says: the next attempt is about who they are now.
      await invalidate()
      const { users = [] } = superUsers.list.getData() ?? {}
      setSeen(users.find((one) => one.id === id) ?? seen)
    },
  })
  const failure = remove.error ? describeFailure(remove.error) : null
  return (
    <StepUpDialog
      title="Delete user"
      proof={proof}
      onClose={onClose}
      action="Confirm and delete"
      isDangerous
    >
      <div className="flex flex-col gap-4">
        {failure && failure.code !== 'step_up_required' && (
          <FailureBox title="Failed to remove user." failure={failure} />
        )}
        <p className="text-lg">Are you sure you want to delete this ?</p>
        <dl className="rounded-field border border-line bg-sunken px-4 py-3">
          <dt className="sr-only">Email Address</dt>
          <dd className="font-semibold wrap-anywhere">{email}</dd>
          <dt className="sr-only">Role</dt>
          <dd className="text-muted">{role}</dd>
        </dl>
        <p className="text-muted">
          They’ll be signed out straight away, and we’ll email them. What they did stays in the
          audit log.
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose} className="min-w-20">
            No
          </Button>
          <Button
            variant="danger"
            isBusy={remove.isPending}
            onClick={() => remove.mutate()}
            className="min-w-20"
          >
            Yes
          </Button>
        </div>
      </div>
    </StepUpDialog>
  )
}

type StaffTableProps = {
  users: readonly SuperUser[]
  /** The id of the element that says why the user's role may change nobody; null if it may. */
  barredBy: string | null
  onEdit: (user: SuperUser) => void
  onDelete: (user: SuperUser) => void
}

const SELF_REASON = 'You can’t change or remove yourself.'
const LAST_REASON = 'At least one superuser must remain.'

function isLast(user: SuperUser, users: readonly SuperUser[]): boolean {
  const active = users.filter(({ role, state }) => role === 'superuser' && state !== 'suspended')
  return user.role === 'superuser' && active.length === 1 && active[0]?.id === user.id
}

/** Why this staff member cannot be changed by any role; null if they can. */
function lockReason(user: SuperUser, users: readonly SuperUser[]): string | null {
  if (isLast(user, users)) return LAST_REASON
  return user.isYou ? SELF_REASON : null
}

function Who({
  user,
  reason,
  reasonId,
}: {
  user: SuperUser
  reason: string | null
  reasonId: string
}) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold wrap-anywhere">{user.email}</span>
        {user.isYou && <Badge tone="brand">You</Badge>}
        {user.state === 'invited' && <Badge>First password not replaced yet</Badge>}
        {user.state === 'suspended' && <Badge tone="accent">Suspended</Badge>}
      </span>
      {reason !== null && (
        <span id={reasonId} className="mt-0.5 block text-sm text-muted">
          {reason}
        </span>
      )}
    </>
  )
}

type ActionsProps = Omit<StaffTableProps, 'users'> & { user: SuperUser; because: string | null }

function Actions({ user, because, onEdit, onDelete }: ActionsProps) {
  const disabledProps = {
    disabled: because !== null,
    ...(because !== null && { 'aria-describedby': because }),
  }
  return (
    <span className="flex flex-wrap gap-2">
      <Button
        variant="secondary"
        {...disabledProps}
        aria-label={`Edit ${user.email}`}
        onClick={() => onEdit(user)}
        className="px-3"
      >
        <Pencil aria-hidden="true" className="size-4.5" />
        Edit
      </Button>
      <Button
        variant="dangerQuiet"
        {...disabledProps}
        aria-label={`Delete ${user.email}`}
        onClick={() => onDelete(user)}
        className="px-3"
      >
        <Trash2 aria-hidden="true" className="size-4.5" />
        Delete
      </Button>
    </span>
  )
}

/** The staff members. */
function StaffTable(props: StaffTableProps) {
  const { users, barredBy } = props
  const reasonFor = (user: SuperUser) => (barredBy === null ? lockReason(user, users) : null)
  // Both layouts are in the page, so each has its own reason element to refer to.
  const who = (user: SuperUser, reasonId: string) => (
    <Who user={user} reason={reasonFor(user)} reasonId={reasonId} />
  )
  const actions = (user: SuperUser, reasonId: string) => (
    <Actions
      {...props}
      user={user}
      because={barredBy ?? (reasonFor(user) === null ? null : reasonId)}
    />
  )
  const columns: Column<SuperUser>[] = [
    {
      key: 'number',
      head: '#',
      cellClass: 'tabular w-14 align-middle! text-muted',
      renderCell: (_user, at) => at + 1,
    },
    {
      key: 'email',
      head: 'Email Address',
      cellClass: 'align-middle!',
      renderCell: (user) => who(user, `why-${user.id}`),
    },
    { key: 'role', head: 'Role', cellClass: 'w-32 align-middle!', renderCell: ({ role }) => role },
    {
      key: 'actions',
      head: 'Actions',
      cellClass: 'w-60',
      renderCell: (user) => actions(user, `why-${user.id}`),
    },
  ]
  return (
    <DataTable
      caption="Super Users"
      columns={columns}
      rows={users}
      keyOf={({ id }) => id}
      from="2xl"
      renderCard={(user, at) => (
        <div className="flex gap-3">
          <span className="tabular text-muted">{at + 1}</span>
          <div className="min-w-0 flex-1">
            {who(user, `why-card-${user.id}`)}
            <p className="mt-1">
              <span className="text-sm text-muted">Role </span>
              {user.role}
            </p>
            <div className="mt-3">{actions(user, `why-card-${user.id}`)}</div>
          </div>
        </div>
      )}
    />
  )
}
