import { Pencil, Trash2 } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import type { SuperUser } from '#contract/super-users.ts'

export type StaffTableProps = {
  users: readonly SuperUser[]
  /** The id of the element that says why the user's role may change nobody; null if it may. */
  barredBy: string | null
  onEdit: (user: SuperUser) => void
  onDelete: (user: SuperUser) => void
}

const SELF = 'You cannot change or remove yourself.'
const LAST = 'At least one superuser must remain.'

function isLast(user: SuperUser, users: readonly SuperUser[]): boolean {
  const active = users.filter(({ role, state }) => role === 'superuser' && state !== 'suspended')
  return user.role === 'superuser' && active.length === 1 && active[0]?.id === user.id
}

/** Why this staff member cannot be changed by any role; null if they can. */
function whyNotThem(user: SuperUser, users: readonly SuperUser[]): string | null {
  if (isLast(user, users)) return LAST
  return user.isYou ? SELF : null
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
  const gate = {
    disabled: because !== null,
    ...(because !== null && { 'aria-describedby': because }),
  }
  return (
    <span className="flex flex-wrap gap-2">
      <Button
        variant="secondary"
        {...gate}
        aria-label={`Edit ${user.email}`}
        onClick={() => onEdit(user)}
        className="px-3"
      >
        <Pencil aria-hidden="true" className="size-4.5" />
        Edit
      </Button>
      <Button
        variant="dangerQuiet"
        {...gate}
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
export function StaffTable(props: StaffTableProps) {
  const { users, barredBy } = props
  const reasonFor = (user: SuperUser) => (barredBy === null ? whyNotThem(user, users) : null)
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
