import { type StaffRole as Role, StaffRole, whyNot } from '#contract/staff.ts'
import type { SuperUser } from '#contract/super-users.ts'

type Facts = { must_change_password: number; suspended_at: number | null }

/** The state of a staff account in the list. */
export function stateOf(row: Facts): SuperUser['state'] {
  if (row.suspended_at !== null) return 'suspended'
  return row.must_change_password === 1 ? 'invited' : 'active'
}

/** Whether a role sees the addresses of colleagues, as it sees the names in payments. */
export function seesAddresses(role: Role): boolean {
  return whyNot('seeNames', role) === null
}

/** The role of a row of staff, which always has one. */
export function roleOf({ role }: { role: string | null }): Role {
  return StaffRole.parse(role)
}

type Seen = { email?: string | undefined; role?: Role | undefined }

/** Whether the row still matches what the client showed; fields it did not send are not compared. */
export function isAsSeen(row: { email: string; role: string | null }, seen: Seen): boolean {
  const isSameEmail = seen.email === undefined || seen.email.trim().toLowerCase() === row.email
  return isSameEmail && (seen.role === undefined || seen.role === row.role)
}
