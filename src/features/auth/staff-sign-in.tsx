import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { knownPath } from '#app/lib/route-guards.ts'
import { mustSetUp, recordFailedSignIn } from '#app/lib/session.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { StepUpProvider } from '#app/parts/step-up.tsx'
import { useInvalidateMe, useMe } from '#app/parts/use-me.ts'
import { useSecondFactorSetup } from '#app/parts/use-second-factor-setup.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { PasswordInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { type Me, type SessionEndReason, SignInStaffInput } from '#contract/auth.ts'
import { SetFirstPasswordInput } from '#contract/auth-passwords.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { AddFirstInput } from '#contract/super-users.ts'
import {
  BarePage,
  InsecureNotice,
  NewPasswordInput,
  SecondFactorForm,
  submitClass,
} from './auth-page.tsx'
import { useCompleteSignIn } from './complete-sign-in.ts'

/** Explanations for staff who were signed out. */
const reasons: Record<SessionEndReason, { title: string; words: string }> = {
  idle: {
    title: 'You were signed out',
    words: 'You were inactive for 15 minutes. Sign in to pick up where you left off.',
  },
  role: { title: 'Your role was changed', words: 'Sign in again to continue with your new role.' },
  closed: {
    title: 'Your account was closed',
    words: 'A superuser has removed it. Ask them if that was a mistake.',
  },
  elsewhere: {
    title: 'You were signed out',
    words: 'This session was ended on another device. If that wasn’t you, change your password.',
  },
  password: {
    title: 'Your password was changed',
    words: 'Changing it signs you out everywhere. Sign in with your new password.',
  },
  signed_out: {
    title: 'You signed out in another tab',
    words: 'Sign in again to pick up where you left off.',
  },
  reuse: {
    title: 'We ended your session',
    words:
      'It was used in two places at once. Sign in again, and if that wasn’t you, change your password.',
  },
  ended: { title: 'Your session has ended', words: 'Please sign in again.' },
}

type StaffSignInPageProps = {
  next: string | undefined
  why: SessionEndReason | undefined
  /** Setup of the authenticator app, from another feature module. */
  renderSecondFactor: (me: Me) => ReactNode
}

/** The reason for signing in again, shown above the form. */
function SignInReason({
  me,
  why,
}: {
  me: Me | null | undefined
  why: SessionEndReason | undefined
}) {
  if (me && me.kind !== 'staff') {
    return (
      <Notice kind="warn" title={`You are signed in as a ${me.kind}`}>
        <p>These pages are for staff. Signing in here ends that session.</p>
      </Notice>
    )
  }
  if (why === undefined) return null
  const { title, words } = reasons[why]
  return (
    <Notice role="status" title={title}>
      <p>{words}</p>
    </Notice>
  )
}

function DemoHint() {
  if (!useSiteConfig().demo) return null
  const shape = 'font-semibold text-ink'
  return (
    <p className="border-t border-line pt-6 text-muted">
      In this demo: <code className={shape}>superuser@demo.example</code>, or admin, editor or
      author at the same, with the password <code className={shape}>Apposite-demo-1</code>.
    </p>
  )
}

type FirstPasswordFormProps = {
  email: string
  onChanged: () => Promise<void>
}

/** An initial password works once: here it is replaced by one that nobody else knows. */
function FirstPasswordForm({ email, onChanged }: FirstPasswordFormProps) {
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
          Someone else chose your first password. It worked this once and can’t be used again.
        </p>
      </div>
      {/* Tells password managers whose password this is. */}
      <input type="hidden" autoComplete="username" name="email" value={email} readOnly />
      <NewPasswordInput label="New password" {...form.text('new_password')} />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        {...form.text('confirm_password')}
      />
      <Button type="submit" size="large" isBusy={form.isBusy}>
        Save and continue
      </Button>
    </FormFrame>
  )
}

/** `/admin-signin`: the sign-in page of staff, without the public site's header and footer. */
export function StaffSignInPage({ next, why, renderSecondFactor }: StaffSignInPageProps) {
  const router = useRouter()
  const completeSignIn = useCompleteSignIn(next)
  const invalidateMe = useInvalidateMe()
  const { data: me } = useMe()
  const staff = me?.kind === 'staff' ? me : null
  const isSettingUp = useSecondFactorSetup(staff)
  const isSet = staff !== null && !mustSetUp(staff)
  const wanted = knownPath(router, next) ?? '/admin-home'
  useEffect(() => {
    // The session is valid; only this browser's local markers were lost.
    if (isSet && !isSettingUp) void router.navigate({ href: wanted, replace: true })
  }, [isSet, isSettingUp, wanted, router])
  return (
    <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
      <PageTitle title="Staff sign in" />
      <h1 className="text-2xl font-semibold">Staff sign in</h1>
      <div className="mt-6 flex flex-col gap-6">
        <InsecureNotice />
        {staff === null && (
          <>
            <SignInReason me={me} why={why} />
            <StaffSignInForm onArrive={completeSignIn} />
            <DemoHint />
          </>
        )}
        {staff?.must_change_password && (
          <FirstPasswordForm email={staff.email} onChanged={invalidateMe} />
        )}
        {staff && isSettingUp && !staff.must_change_password && (
          <StepUpProvider>
            {staff.must_set_second_factor && (
              <Notice kind="info" title="Set up an authenticator app to continue">
                <p>You can use the staff pages once two-step sign-in is on.</p>
              </Notice>
            )}
            {renderSecondFactor(staff)}
            {isSet && <LinkButton to={wanted}>Continue to the staff pages</LinkButton>}
          </StepUpProvider>
        )}
      </div>
    </div>
  )
}

/** The specification's wording for staff: the server's sentence, or a fixed one without a response. */
function toDocumentedFailure(failure: Failure | null): Failure | null {
  if (failure === null) return null
  const { code } = failure
  if (code === 'offline' || code === 'timeout') {
    return { ...failure, sentence: 'Something went wrong. Try again.' }
  }
  return code === 'unknown' ? { ...failure, sentence: 'Login failed' } : failure
}

type StaffSignInFormProps = { onArrive: (me: Me) => Promise<void> }

/** Email and password of staff, then the authenticator code for those who have set it up. */
function StaffSignInForm({ onArrive }: StaffSignInFormProps) {
  const { client } = trpc.useUtils()
  const [accepted, setAccepted] = useState<SignInStaffInput | null>(null)
  const form = useForm({
    blank: { email: '', password: '' },
    schema: SignInStaffInput,
    send: async (input) => {
      try {
        return await client.auth.signInStaff.mutate(input)
      } catch (error) {
        if (describeFailure(error).code !== 'second_factor_required') {
          recordFailedSignIn()
          throw error
        }
        setAccepted(input)
        return null
      }
    },
    onSent: async (answer) => {
      if (answer !== null) await onArrive(answer.me)
    },
  })

  if (accepted !== null) {
    return (
      <SecondFactorForm
        signIn={(code) => client.auth.signInStaff.mutate({ ...accepted, ...code })}
        onArrive={onArrive}
        onBack={() => setAccepted(null)}
      />
    )
  }
  return (
    <FormFrame
      form={{ ...form, failure: toDocumentedFailure(form.failure) }}
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

/** `/admin-start`: creates the first superuser of an installation, with the link printed by its server. */
export function FirstSuperuserPage({ token }: { token: string | null }) {
  if (token === null) {
    return (
      <BarePage title="Open the printed link again">
        <p>
          For security, the link isn’t kept in this page’s address. Open it again from the server’s
          output. Until there is a staff account, each start of the server prints a new link.
        </p>
        <SignInLink />
      </BarePage>
    )
  }
  return (
    <BarePage
      title="Create the first superuser"
      lead="This installation has no staff yet. You’ll add everyone else."
    >
      <InsecureNotice />
      <FirstSuperuserForm token={token} />
    </BarePage>
  )
}

function SignInLink() {
  return (
    <div>
      <LinkButton to="/admin-signin" size="large" className={submitClass}>
        Go to staff sign-in
      </LinkButton>
    </div>
  )
}

function FirstSuperuserForm({ token }: { token: string }) {
  const { client } = trpc.useUtils()
  const completeSignIn = useCompleteSignIn(undefined)
  const form = useForm({
    blank: { token, email: '', new_password: '', confirm_password: '' },
    schema: AddFirstInput,
    send: (input) => client.superUsers.addFirst.mutate(input),
    onSent: ({ me }) => completeSignIn(me),
  })
  // The token is not a visible field, so its errors replace the form.
  if (form.errors['token'] !== undefined || form.failure?.code === 'start_link_invalid') {
    return (
      <>
        <Notice kind="danger" role="alert" title="Nobody was added">
          <p>{errorMessage('start_link_invalid')}</p>
        </Notice>
        <SignInLink />
      </>
    )
  }
  return (
    <FormFrame form={form} label="First superuser" failureTitle="Nobody was added">
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="username"
        label="Email"
        {...form.text('email')}
      />
      <NewPasswordInput label="Password" {...form.text('new_password')} />
      <PasswordInput
        label="Confirm password"
        autoComplete="new-password"
        {...form.text('confirm_password')}
      />
      <div>
        <Button type="submit" size="large" isBusy={form.isBusy} className={submitClass}>
          Create account
        </Button>
      </div>
    </FormFrame>
  )
}
