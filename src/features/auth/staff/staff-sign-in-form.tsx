import { useId } from 'react'
import { useArrival } from '#app/features/auth/use-arrival.ts'
import { textFields, useForm } from '#app/lib/use-form.ts'
import { useApi } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { SignInStaffInput } from '#contract/auth-staff.ts'

/** Email and password of staff. */
export function StaffSignInForm({ next }: { next: string | undefined }) {
  const id = useId()
  const api = useApi()
  const arrive = useArrival(next)
  const form = useForm({
    blank: { email: '', password: '' },
    schema: SignInStaffInput,
    send: (input) => api.auth.signInStaff.mutate(input),
    onSent: ({ me }) => arrive(me),
  })
  const text = textFields(form, id)
  return (
    <FormFrame
      form={form}
      id={id}
      label="Staff sign in"
      failureTitle="You are not signed in"
      className="mt-6"
    >
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="username"
        label="Email"
        {...text('email')}
      />
      <PasswordInput label="Password" autoComplete="current-password" {...text('password')} />
      <Button type="submit" size="large" isBusy={form.isBusy}>
        Sign In
      </Button>
    </FormFrame>
  )
}
