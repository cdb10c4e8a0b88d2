import { useId, useState } from 'react'
import { textFields, useForm } from '#app/lib/use-form.ts'
import { useApi } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { ChangeEmailInput, type Me } from '#contract/auth.ts'
import { AccountSection } from './account-section.tsx'

/** A new address counts once the link mailed to it has been followed. */
export function EmailSection({ me }: { me: Me }) {
  const id = useId()
  const api = useApi()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    blank: { email: '', password: '' },
    schema: ChangeEmailInput,
    send: async (input) => {
      await api.auth.changeEmail.mutate(input)
      return input.email
    },
    onSent: setSentTo,
    clearsOnSuccess: true,
    codeFields: { password_wrong: 'password' },
  })
  const text = textFields(form, id)
  return (
    <AccountSection
      id="email"
      title="Email"
      lead={
        <>
          Now: <span className="wrap-anywhere">{me.email}</span>
        </>
      }
    >
      <FormFrame form={form} id={id} label="Change email" failureTitle="Nothing was changed">
        {sentTo && (
          <Notice kind="ok" role="status" title="Open the mail at the new address">
            <p>
              A link is on its way to <span className="break-all">{sentTo}</span>. The address
              changes when you follow it.
            </p>
          </Notice>
        )}
        <TextInput
          type="email"
          inputMode="email"
          autoComplete="email"
          label="New email"
          {...text('email')}
        />
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          {...text('password')}
        />
        <div>
          <Button type="submit" variant="secondary" isBusy={form.isBusy}>
            Change email
          </Button>
        </div>
      </FormFrame>
    </AccountSection>
  )
}
