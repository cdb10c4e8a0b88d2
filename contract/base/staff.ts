import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** The four roles of staff, the most powerful first. */
export const StaffRole = z.enum(['superuser', 'admin', 'editor', 'author'], {
  error: 'Choose superuser, admin, editor or author.',
})
export type StaffRole = z.infer<typeof StaffRole>

/** How the roles differ. All staff may see every screen. */
export type StaffAction =
  | 'verify'
  | 'publish'
  | 'upload'
  | 'seeNames'
  | 'refund'
  | 'refundOverLimit'
  | 'reviewPayments'
  | 'retryMail'
  | 'decideClaims'
  | 'manageStaff'
  | 'readAudit'
  | 'export'

const superusers: readonly StaffRole[] = ['superuser']
const admins: readonly StaffRole[] = ['superuser', 'admin']
const editors: readonly StaffRole[] = ['superuser', 'admin', 'editor']
const allRoles: readonly StaffRole[] = StaffRole.options

const allowedRoles: Record<StaffAction, readonly StaffRole[]> = {
  verify: admins,
  publish: editors,
  upload: allRoles,
  seeNames: admins,
  refund: admins,
  refundOverLimit: superusers,
  reviewPayments: admins,
  retryMail: admins,
  decideClaims: admins,
  manageStaff: superusers,
  readAudit: superusers,
  export: superusers,
}

/** Codes of refusals whose sentences name the roles that are allowed. */
export type StaffRefusal = Extract<ErrorCode, 'superusers_only' | 'admins_only' | 'editors_only'>

const refusals: ReadonlyMap<readonly StaffRole[], StaffRefusal> = new Map([
  [superusers, 'superusers_only'],
  [admins, 'admins_only'],
  [editors, 'editors_only'],
])

/**
 * The code the server refuses an action with for a role, or null when the role may do it. The server's access rows are
 * built from this (`accessFor`), and the pages disable controls by it.
 */
export function staffRefusal(act: StaffAction, role: StaffRole): StaffRefusal | null {
  const may = allowedRoles[act]
  return may.includes(role) ? null : (refusals.get(may) ?? null)
}

/** The part of an access row that an action decides: `accessFor('verify')`, or spread beside others. */
export function accessFor(act: StaffAction): { may: readonly StaffRole[]; refusal?: StaffRefusal } {
  const may = allowedRoles[act]
  const refusal = refusals.get(may)
  return refusal === undefined ? { may } : { may, refusal }
}
