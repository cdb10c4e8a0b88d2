import * as z from 'zod/mini'
import { GivenPassword, Me, SecondFactor, Tokens } from './auth.ts'
import { UserId } from './ids.ts'
import { Email } from './people.ts'
import { StaffRole } from './staff.ts'

/** The documented admin-login, and the second step where it is asked for. */
export const SignInStaffInput = z.strictObject({
  email: Email,
  password: GivenPassword,
  second_factor: z.optional(SecondFactor),
})
export type SignInStaffInput = z.infer<typeof SignInStaffInput>

export const SignInStaffAnswer = z.object({
  status: z.literal(true),
  user_id: UserId,
  is_admin: z.literal(true),
  me: Me,
  tokens: z.optional(Tokens),
})
export type SignInStaffAnswer = z.infer<typeof SignInStaffAnswer>

/**
 * Why a session of staff is over: nothing was done for a while, a new role, an account that was closed,
 * signed out on another device or everywhere, another password, signed out in this browser, a token that
 * came twice; `ended` is everything else, such as its last day.
 */
export const SessionEnd = z.enum([
  'idle',
  'role',
  'closed',
  'elsewhere',
  'password',
  'signed_out',
  'reuse',
  'ended',
])
export type SessionEnd = z.infer<typeof SessionEnd>

/** What an open page asks for all the time: the role as it is now, or why there is none any more. */
export const SessionStatus = z.union([
  z.object({ role: StaffRole, over: z.literal(null) }),
  z.object({ role: z.literal(null), over: SessionEnd }),
])
export type SessionStatus = z.infer<typeof SessionStatus>
