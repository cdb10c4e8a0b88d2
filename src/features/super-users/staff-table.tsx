import { Pencil, Trash2 } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import type { SuperUser } from '#contract/super-users.ts'

export type StaffTableProps = {
  users: readonly SuperUser[]
  /** The id of what says why nobody here may be changed by this role; null when they may. */
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

/** Why somebody in particular cannot be changed, whatever the role of who looks; null when they can. */
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
        <Pencil aria-hidden="true" strokeWidth={1.75} className="size-4.5" />
        Edit
      </Button>
      <Button
        variant="dangerQuiet"
        {...gate}
        aria-label={`Delete ${user.email}`}
        onClick={() => onDelete(user)}
        className="px-3"
      >
        <Trash2 aria-hidden="true" strokeWidth={1.75} className="size-4.5" />
        Delete
      </Button>
    </span>
  )
}

const head =
  'border-b border-line bg-sunken px-4 py-3 text-left text-sm font-semibold whitespace-nowrap text-muted'
const cell = 'border-b border-line px-4 py-3 align-middle group-last:border-b-0'

function Rows(props: StaffTableProps) {
  const { users, barredBy } = props
  return (
    <div className="rounded-card border border-line bg-surface @max-2xl:hidden">
      <table className="w-full border-separate border-spacing-0 [&_th:first-child]:rounded-tl-card [&_th:last-child]:rounded-tr-card">
        <caption className="sr-only">Super Users</caption>
        <thead>
          <tr>
            {['#', 'Email Address', 'Role', 'Actions'].map((name) => (
              <th key={name} scope="col" className={head}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map((user, at) => {
            const reason = barredBy === null ? whyNotThem(user, users) : null
            const reasonId = `why-${user.id}`
            return (
              <tr key={user.id} className="group">
                <td className={`${cell} tabular w-14 text-muted`}>{at + 1}</td>
                <td className={cell}>
                  <Who user={user} reason={reason} reasonId={reasonId} />
                </td>
                <td className={`${cell} w-32`}>{user.role}</td>
                <td className={`${cell} w-60`}>
                  <Actions
                    {...props}
                    user={user}
                    because={barredBy ?? (reason === null ? null : reasonId)}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The same on phones: a card for each person. */
function Cards(props: StaffTableProps) {
  const { users, barredBy } = props
  return (
    <ol aria-label="Super Users" className="flex flex-col gap-3 @2xl:hidden">
      {users.map((user, at) => {
        const reason = barredBy === null ? whyNotThem(user, users) : null
        const reasonId = `why-card-${user.id}`
        return (
          <li key={user.id} className="rounded-card border border-line bg-surface p-4">
            <div className="flex gap-3">
              <span className="tabular text-muted">{at + 1}</span>
              <div className="min-w-0 flex-1">
                <Who user={user} reason={reason} reasonId={reasonId} />
                <p className="mt-1">
                  <span className="text-sm text-muted">Role </span>
                  {user.role}
                </p>
                <div className="mt-3">
                  <Actions
                    {...props}
                    user={user}
                    because={barredBy ?? (reason === null ? null : reasonId)}
                  />
                </div>
              </div>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** Who is on the staff: a table, or cards on phones. */
export function StaffTable(props: StaffTableProps) {
  return (
    <div className="@container">
      <Rows {...props} />
      <Cards {...props} />
    </div>
  )
}
