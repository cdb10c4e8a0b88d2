import * as z from 'zod/mini'
import { EnteredPassword, Me, SecondFactor, Tokens } from './auth.ts'
import { UserId } from './ids.ts'
import { Email } from './people.ts'
import { StaffRole } from './staff.ts'

/** The documented admin-login, with the second factor where it is required. */
export const SignInStaffInput = z.strictObject({
  email: Email,
  password: EnteredPassword,
  second_factor: z.optional(SecondFactor),
})
export type SignInStaffInput = z.infer<typeof SignInStaffInput>

export const SignInStaffResponse = z.object({
  status: z.literal(true),
  user_id: UserId,
  is_admin: z.literal(true),
  me: Me,
  tokens: z.optional(Tokens),
})
export type SignInStaffResponse = z.infer<typeof SignInStaffResponse>

/**
 * Why a staff session ended: inactivity, a new role, a closed account, signed out on another device or
 * everywhere, a changed password, signed out in this browser, a reused token; `ended` is everything else,
 * such as reaching its maximum age.
 */
export const SessionEndReason = z.enum([
  'idle',
  'role',
  'closed',
  'elsewhere',
  'password',
  'signed_out',
  'reuse',
  'ended',
])
export type SessionEndReason = z.infer<typeof SessionEndReason>

/** Polled by open pages: the current role, or why the session ended. */
export const SessionStatus = z.union([
  z.object({ role: StaffRole, over: z.literal(null) }),
  z.object({ role: z.literal(null), over: SessionEndReason }),
])
export type SessionStatus = z.infer<typeof SessionStatus>
