import { useState } from 'react'
import { useForm } from '#app/lib/use-form.ts'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { ForgotPasswordInput, type UserType } from '#contract/auth.ts'
import { AuthPage, submitClass } from './auth-page.tsx'
import type { AuthSearch } from './auth-search.ts'

const userTypeOptions: readonly { value: UserType; label: string }[] = [
  { value: 'patient', label: 'I am a patient' },
  { value: 'provider', label: 'I am a provider' },
]

/** `/forgot-password`: requests the reset email. The response never reveals whether an account exists. */
export function ForgotPasswordPage({ search }: { search: AuthSearch }) {
  const { client } = trpc.useUtils()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const userType: UserType = search.as ?? 'patient'
  const form = useForm({
    blank: { email: '', userType },
    schema: ForgotPasswordInput,
    send: async (input) => {
      await client.auth.forgotPassword.mutate(input)
      return input.email
    },
    onSent: setSentTo,
  })

  if (sentTo !== null) {
    return (
      <AuthPage title="Check your email" isNarrow isAnswer>
        <Notice kind="ok" role="status" title="Look for our email">
          <p>
            If <span className="wrap-anywhere">{sentTo}</span> has an account here, we’ve emailed
            you a link. It works once, for 30 minutes.
          </p>
        </Notice>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Button variant="secondary" onClick={() => setSentTo(null)}>
            Try again
          </Button>
          <MailboxLink email={sentTo} />
        </div>
      </AuthPage>
    )
  }
  return (
    <AuthPage
      isNarrow
      title="Forgot your password?"
      lead="We’ll email you a link to choose a new one."
    >
      <FormFrame form={form} label="Forgot password" failureTitle="No email was sent">
        <RadioCards
          name={`${form.id}-kind`}
          legend="Your account"
          isCompact
          choices={userTypeOptions}
          value={form.values.userType}
          onChange={(chosen) => form.set('userType', chosen)}
        />
        <TextInput
          type="email"
          inputMode="email"
          autoComplete="username"
          label="Email"
          {...form.text('email')}
        />
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button type="submit" size="large" isBusy={form.isBusy} className={submitClass}>
            {form.isBusy ? 'Sending' : 'Email me a link'}
          </Button>
          <TextLink to="/sign-in" search={search} className="py-2">
            Back to sign in
          </TextLink>
        </div>
      </FormFrame>
    </AuthPage>
  )
}
