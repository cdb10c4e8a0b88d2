import { useState } from 'react'
import { SecondFactorForm } from '#app/features/auth/second-factor-form.tsx'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { noteFailedSignIn } from '#app/lib/session.ts'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import type { Me } from '#contract/auth.ts'
import { SignInStaffInput } from '#contract/auth-staff.ts'

/** The specification's wording for staff: the server's sentence, or a fixed one without a response. */
function asDocumented(failure: Failure | null): Failure | null {
  if (failure === null) return null
  const { code } = failure
  if (code === 'offline' || code === 'timeout') {
    return { ...failure, sentence: 'Something went wrong. Try again.' }
  }
  return code === 'unknown' ? { ...failure, sentence: 'Login failed' } : failure
}

type StaffSignInFormProps = { onArrive: (me: Me) => Promise<void> }

/** Email and password of staff, then the authenticator code for those who have set it up. */
export function StaffSignInForm({ onArrive }: StaffSignInFormProps) {
  const { client } = trpc.useUtils()
  const [proved, setProved] = useState<SignInStaffInput | null>(null)
  const form = useForm({
    blank: { email: '', password: '' },
    schema: SignInStaffInput,
    send: async (input) => {
      try {
        return await client.auth.signInStaff.mutate(input)
      } catch (error) {
        if (describeFailure(error).code !== 'second_factor_required') {
          noteFailedSignIn()
          throw error
        }
        setProved(input)
        return null
      }
    },
    onSent: async (answer) => {
      if (answer !== null) await onArrive(answer.me)
    },
  })

  if (proved !== null) {
    return (
      <SecondFactorForm
        signIn={(code) => client.auth.signInStaff.mutate({ ...proved, ...code })}
        onArrive={onArrive}
        onBack={() => setProved(null)}
      />
    )
  }
  return (
    <FormFrame
      form={{ ...form, failure: asDocumented(form.failure) }}
      label="Staff sign in"
      failureTitle="Couldn’t sign you in"
    >
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="username"
        label="Email"
        {...form.text('email')}
      />
      <PasswordInput label="Password" autoComplete="current-password" {...form.text('password')} />
      <Button type="submit" size="large" isBusy={form.isBusy}>
        Sign In
      </Button>
    </FormFrame>
  )
}
