import { useEffect, useRef } from 'react'
import { NewPasswordInput } from '#app/features/auth/new-password-input.tsx'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { SetFirstPasswordInput } from '#contract/auth.ts'

type OwnPasswordFormProps = {
  email: string
  onChanged: () => Promise<void>
}

/** A first password works once: here it is replaced by one that nobody else knows. */
export function OwnPasswordForm({ email, onChanged }: OwnPasswordFormProps) {
  const { client } = trpc.useUtils()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const form = useForm({
    blank: { new_password: '', confirm_password: '' },
    schema: SetFirstPasswordInput,
    send: (input) => client.auth.setFirstPassword.mutate(input),
    onSent: onChanged,
  })
  return (
    <FormFrame form={form} label="Your own password" failureTitle="Nothing was changed">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
          Choose a password of your own
        </h2>
        <p className="mt-1 text-muted">
          The first one was thought of by somebody else. It worked this once and opens nothing any
          more.
        </p>
      </div>
      {/* Password managers look for whose password it is. */}
      <input type="hidden" autoComplete="username" name="email" value={email} readOnly />
      <NewPasswordInput label="New password" {...form.text('new_password')} />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        {...form.text('confirm_password')}
      />
      <Button type="submit" size="large" isBusy={form.isBusy}>
        Save and go on
      </Button>
    </FormFrame>
  )
}
