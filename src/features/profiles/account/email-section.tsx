import { useState } from 'react'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { ChangeEmailInput, type Me } from '#contract/auth.ts'
import { AccountSection, RevealedForm, UsernameHint } from './account-section.tsx'

/** A new address takes effect once the link emailed to it has been followed. */
export function EmailSection({ me }: { me: Me }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <AccountSection
      id="email"
      title="Email"
      lead="You sign in with this address, and it’s where we email you."
    >
      <RevealedForm
        now={<p className="font-medium wrap-anywhere">{me.email}</p>}
        action="Change email"
      >
        {(close) => (
          <EmailForm
            email={me.email}
            onClose={close}
            onSent={(to) => {
              setSentTo(to)
              close()
            }}
          />
        )}
      </RevealedForm>
      {/* Rendered from the start, so that screen readers announce what appears in it. */}
      <div role="status">
        {sentTo && (
          <Notice kind="ok" title="Check your new email address" className="mt-4">
            <p>
              We’ve sent a link to <span className="wrap-anywhere">{sentTo}</span>. Your address
              changes once you open it.
            </p>
          </Notice>
        )}
      </div>
    </AccountSection>
  )
}

type EmailFormProps = { email: string; onClose: () => void; onSent: (to: string) => void }

function EmailForm({ email, onClose, onSent }: EmailFormProps) {
  const { client } = trpc.useUtils()
  const form = useForm({
    blank: { email: '', password: '' },
    schema: ChangeEmailInput,
    send: async (input) => {
      await client.auth.changeEmail.mutate(input)
      return input.email
    },
    onSent,
    codeFields: { password_wrong: 'password' },
  })
  return (
    <FormFrame form={form} label="Change email" failureTitle="Nothing was changed">
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="email"
        label="New email"
        {...form.text('email')}
      />
      <UsernameHint email={email} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...form.text('password')}
      />
      <FormButtons send="Change email" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}
