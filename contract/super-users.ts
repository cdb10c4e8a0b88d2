import * as z from 'zod/mini'
import { Me, Tokens } from './auth.ts'
import { NewPassword, passwordsMatch } from './auth-passwords.ts'
import { Email } from './base/emails.ts'
import { UserId } from './base/ids.ts'
import { StaffRole } from './base/staff.ts'
import { IsoInstant } from './base/time.ts'

/** Empty counts as left out; both get the sentence of the specification. */
function isMissing(input: unknown): boolean {
  return input === undefined || input === null || input === ''
}

const missing = { error: 'fields_missing' }
const RequiredText = z.string(missing).check(z.minLength(1, missing))

/** One of the four roles; `missingCode` is the error when none is given. */
function roleOr(missingCode: 'fields_missing' | 'staff_role_missing') {
  return z.enum(StaffRole.options, {
    error: ({ input }) => (isMissing(input) ? missingCode : 'staff_role_unknown'),
  })
}

/** A member of staff, as the list shows them. */
export const SuperUser = z.object({
  id: UserId,
  /** For roles that do not manage staff, every character after the first two is an x. */
  email: z.string(),
  role: StaffRole,
  /** `invited`: has not replaced the first password yet. */
  state: z.enum(['active', 'invited', 'suspended']),
  isYou: z.boolean(),
  addedAt: IsoInstant,
})
export type SuperUser = z.infer<typeof SuperUser>

/** In the order in which they were added. */
export const SuperUsers = z.object({ users: z.array(SuperUser) })
export type SuperUsers = z.infer<typeof SuperUsers>

/** The password is temporary: it opens one session, in which its owner chooses another. */
export const AddSuperUserInput = z.strictObject({
  email: z.pipe(RequiredText, Email),
  role: roleOr('fields_missing'),
  password: z.pipe(RequiredText, NewPassword),
})
export type AddSuperUserInput = z.infer<typeof AddSuperUserInput>

export const ChangeRoleInput = z.strictObject({
  id: UserId,
  role: roleOr('staff_role_missing'),
  /** The role that was on screen: if it has changed since, that is reported, not overwritten. */
  seen: z.optional(StaffRole),
})
export type ChangeRoleInput = z.infer<typeof ChangeRoleInput>

/** Email and role as they were on screen; if either has changed, nobody is removed. */
export const RemoveSuperUserInput = z.strictObject({
  id: UserId,
  email: z.optional(z.string().check(z.maxLength(254))),
  role: z.optional(StaffRole),
})
export type RemoveSuperUserInput = z.infer<typeof RemoveSuperUserInput>

const START_LINK = { error: 'start_link_invalid' }

/** The first superuser of an installation, by the link its server printed. */
export const AddFirstInput = z
  .strictObject({
    token: z.string(START_LINK).check(z.regex(/^[A-Za-z0-9_-]{43}$/, START_LINK)),
    email: Email,
    new_password: NewPassword,
    confirm_password: z.string({ error: 'Passwords do not match.' }),
  })
  .check(passwordsMatch)
export type AddFirstInput = z.infer<typeof AddFirstInput>
export const AddFirstResponse = z.object({
  status: z.literal(true),
  me: Me,
  tokens: z.optional(Tokens),
})
export type AddFirstResponse = z.infer<typeof AddFirstResponse>

/** Lifetime of that link, which works once. */
export const START_LINK_TTL_MS = 24 * 60 * 60_000
