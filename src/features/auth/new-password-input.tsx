import type { ComponentProps } from 'react'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { PASSWORD_MIN, PASSWORD_RECOMMENDED } from '#contract/auth.ts'

/** Input for a new password, with the only rule there is. */
export function NewPasswordInput(props: ComponentProps<typeof PasswordInput>) {
  return (
    <PasswordInput
      autoComplete="new-password"
      hint={`At least ${PASSWORD_MIN} characters; ${PASSWORD_RECOMMENDED} or more are better. Three or four words make a good one.`}
      {...props}
    />
  )
}
