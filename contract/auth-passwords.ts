import * as z from 'zod/mini'
import { GivenPassword, NewPassword, samePasswords } from './auth.ts'

export const ChangePasswordInput = z
  .strictObject({
    current_password: GivenPassword,
    new_password: NewPassword,
    confirm_password: z.string({ error: 'Passwords do not match.' }),
  })
  .check(samePasswords)
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>

/** In the place of a first password, by staff who came in with it. */
export const SetFirstPasswordInput = z
  .strictObject({
    new_password: NewPassword,
    confirm_password: z.string({ error: 'Passwords do not match.' }),
  })
  .check(samePasswords)
export type SetFirstPasswordInput = z.infer<typeof SetFirstPasswordInput>
