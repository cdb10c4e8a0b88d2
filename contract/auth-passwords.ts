import * as z from 'zod/mini'

export const PASSWORD_MIN = 8
/** Recommended length, shown beside the field; eight characters are accepted. */
export const PASSWORD_RECOMMENDED = 15
const PASSWORD_MAX = 128

const TOO_LONG = 'Use 128 characters or fewer.'

/**
 * No composition rules (ASVS 6.2.5); the server also refuses the most common passwords and the user's own
 * address.
 */
export const NewPassword = z.string({ error: 'Enter a password.' }).check(
  z.minLength(PASSWORD_MIN, { error: 'Use at least 8 characters.' }),
  z.maxLength(PASSWORD_MAX, { error: TOO_LONG }),
  z.refine<string>((text) => text.trim() !== '', { error: 'Your password can’t be only spaces.' }),
)

/** A password entered to sign in: only its length is limited, before it is hashed. */
export const EnteredPassword = z
  .string({ error: 'Enter your password.' })
  .check(
    z.minLength(1, { error: 'Enter your password.' }),
    z.maxLength(PASSWORD_MAX, { error: TOO_LONG }),
  )

/** Both fields of a new password must match. */
export const passwordsMatch = z.refine<{ new_password: string; confirm_password: string }>(
  (input) => input.new_password === input.confirm_password,
  { error: 'Passwords do not match.', path: ['confirm_password'] },
)

export const ChangePasswordInput = z
  .strictObject({
    current_password: EnteredPassword,
    new_password: NewPassword,
    confirm_password: z.string({ error: 'Passwords do not match.' }),
  })
  .check(passwordsMatch)
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>

/** Replaces a first password; called by staff who signed in with it. */
export const SetFirstPasswordInput = z
  .strictObject({
    new_password: NewPassword,
    confirm_password: z.string({ error: 'Passwords do not match.' }),
  })
  .check(passwordsMatch)
export type SetFirstPasswordInput = z.infer<typeof SetFirstPasswordInput>
