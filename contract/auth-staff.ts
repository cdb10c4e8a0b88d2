import * as z from 'zod/mini'
import { GivenPassword, Me, SecondFactor, Tokens } from './auth.ts'
import { UserId } from './ids.ts'
import { Email } from './people.ts'

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
