import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { focusPageHeading } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { refreshSession, signedInUser } from '#app/lib/session.ts'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { clearPrivateQueries } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { PasswordInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import {
  CheckResetLinkInput,
  ForgotPasswordInput,
  ResetPasswordInput,
  type UserType,
} from '#contract/auth.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { AuthPage, BarePage, NewPasswordInput, submitClass } from './auth-page.tsx'
import type { AuthSearch } from './auth-search.ts'

/**
 * `/forgot-password`: requests the reset email, one for each account of the address. The response never reveals whether
 * there is any.
 */
export function ForgotPasswordPage({ search }: { search: AuthSearch }) {
  const { client } = trpc.useUtils()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    blank: { email: '' },
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
          <Button
            variant="secondary"
            onClick={() => {
              setSentTo(null)
              // The pressed button is gone.
              focusPageHeading()
            }}
          >
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

/** `/reset-password/{token}`: sets a new password and ends all sessions. */
export function ResetPasswordPage({ token }: { token: string | null }) {
  const [doneFor, setDoneFor] = useState<UserType | null>(null)
  if (token === null) {
    return (
      <BarePage title="Open the link in the email again">
        <p>
          For your security, the link isn’t kept in this page’s address and can’t be loaded again.
          Open it from the email again, or ask for a new one.
        </p>
        <RequestLinkButton />
      </BarePage>
    )
  }
  if (doneFor !== null) {
    return (
      <BarePage title="Password changed" isAnswer>
        <Notice kind="ok" role="status" title="Your new password is ready to use">
          <p>You are signed out everywhere. Sign in with the new password.</p>
        </Notice>
        <div>
          <LinkButton
            to="/sign-in"
            search={doneFor === 'provider' ? { as: 'provider' } : {}}
            size="large"
            className={submitClass}
          >
            Sign in
          </LinkButton>
        </div>
      </BarePage>
    )
  }
  return (
    <BarePage title="Choose a new password">
      <ResetForm token={token} onDone={setDoneFor} />
    </BarePage>
  )
}

function RequestLinkButton() {
  return (
    <div>
      <LinkButton to="/forgot-password" size="large" className={submitClass}>
        Ask for another link
      </LinkButton>
    </div>
  )
}

/** Clears a session of this browser that the reset may have ended. */
function useClearEndedSession() {
  const client = useQueryClient()
  return async (): Promise<void> => {
    if (signedInUser() === null) return
    // If the request fails, the next page that needs the session finds out.
    await refreshSession(performance.now()).catch(() => false)
    clearPrivateQueries(client)
  }
}

/**
 * Checks the link before the user thinks of a password. A query, as it changes nothing: the procedure is a
 * mutation only to keep the token out of URLs.
 */
function useLinkCheck(token: string) {
  const { client } = trpc.useUtils()
  const isMalformed = !CheckResetLinkInput.safeParse({ token }).success
  const { isLoading, error } = useQuery({
    queryKey: [['auth', 'checkResetLink'], token],
    queryFn: () => client.auth.checkResetLink.mutate({ token }),
    enabled: !isMalformed,
    // If the check fails, the form is shown: the server checks again on submit.
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isRefused = error !== null && describeFailure(error).code === 'reset_link_invalid'
  return { isLoading, isDead: isMalformed || isRefused }
}

type ResetFormProps = { token: string; onDone: (userType: UserType) => void }

function ResetForm({ token, onDone }: ResetFormProps) {
  const link = useLinkCheck(token)
  const utils = trpc.useUtils()
  const clearEndedSession = useClearEndedSession()
  const form = useForm({
    blank: { token, new_password: '', confirm_password: '' },
    schema: ResetPasswordInput,
    send: (input) => utils.client.auth.resetPassword.mutate(input),
    onSent: async (answer) => {
      await clearEndedSession()
      onDone(answer.user_type)
    },
  })
  if (link.isLoading) return <PendingShapes shapes={['h-18', 'h-18', 'h-13']} />
  // The token is not a visible field, so its errors are shown above the form.
  const isDead =
    link.isDead || form.errors['token'] !== undefined || form.failure?.code === 'reset_link_invalid'
  if (isDead) {
    return (
      <>
        <Notice
          kind="danger"
          role="alert"
          title={link.isDead ? 'This link no longer works' : 'Your password wasn’t changed'}
        >
          <p>{errorMessage('reset_link_invalid')}</p>
        </Notice>
        <RequestLinkButton />
      </>
    )
  }
  return (
    <FormFrame form={form} label="New password" failureTitle="Your password wasn’t changed">
      <NewPasswordInput label="New password" {...form.text('new_password')} />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        {...form.text('confirm_password')}
      />
      <div>
        <Button type="submit" size="large" isBusy={form.isBusy} className={submitClass}>
          {form.isBusy ? 'Changing' : 'Change password'}
        </Button>
      </div>
    </FormFrame>
  )
}
