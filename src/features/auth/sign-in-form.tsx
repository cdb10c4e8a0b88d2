import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { consentField } from '#app/lib/consent.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { recordFailedSignIn } from '#app/lib/session.ts'
import { useNextWithHold, VisitorHoldCard } from '#app/parts/visits/visitor-hold.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { PasswordInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { SignInInput, type UserType } from '#contract/auth.ts'
import {
  AccountTypeSwitch,
  AuthPage,
  InsecureNotice,
  SecondFactorForm,
  submitClass,
} from './auth-page.tsx'
import { type AuthSearch, useCompleteSignIn } from './auth-search.ts'
import { ResendNotice } from './confirm-email.tsx'

const blank = { email: '', password: '' }

/** Email and password, then the authenticator code for users who have set it up. */
function SignInForm({ search }: { search: AuthSearch }) {
  const { client } = trpc.useUtils()
  const nextWithHold = useNextWithHold(search.next)
  const next = search.as === 'provider' ? search.next : nextWithHold
  const completeSignIn = useCompleteSignIn(next)
  const userType: UserType = search.as ?? 'patient'
  const [accepted, setAccepted] = useState<SignInInput | null>(null)

  const form = useForm({
    blank,
    schema: SignInInput,
    toInput: (values) => ({ ...values, user_type: userType, ...consentField() }),
    send: async (input) => {
      try {
        return await client.auth.signIn.mutate(input)
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
      if (answer !== null) await completeSignIn(answer.me)
    },
  })

  if (accepted !== null) {
    return (
      <SecondFactorForm
        signIn={(code) => client.auth.signIn.mutate({ ...accepted, ...code })}
        onArrive={completeSignIn}
        onBack={() => setAccepted(null)}
      />
    )
  }
  return (
    <>
      <AccountTypeSwitch to="/sign-in" search={search} />
      <FormFrame form={form} label="Sign in" failureTitle="Couldn’t sign you in">
        {form.failure?.code === 'email_unverified' && (
          <ResendNotice email={form.values.email} userType={userType} next={next} />
        )}
        <TextInput
          type="email"
          inputMode="email"
          autoComplete="username"
          label="Email"
          {...form.text('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          {...form.text('password')}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <Button type="submit" size="large" isBusy={form.isBusy} className={submitClass}>
            {form.isBusy ? 'Signing in' : 'Sign in'}
          </Button>
          <TextLink to="/forgot-password" search={search} className="py-2">
            Forgot your password?
          </TextLink>
        </div>
      </FormFrame>
      <p className="border-t border-line pt-6">
        New here?{' '}
        <TextLink to="/register" search={search}>
          {search.as === 'provider' ? 'Register as a provider' : 'Register as a patient'}
        </TextLink>
      </p>
    </>
  )
}

/** `/sign-in`, for patients and with `?as=provider` for providers. */
export function SignInPage({ search }: { search: AuthSearch }) {
  const navigate = useNavigate()
  return (
    <AuthPage title="Sign in" isNarrow>
      <InsecureNotice />
      {search.as === undefined && (
        <VisitorHoldCard
          next={search.next}
          onNext={(next) =>
            void navigate({ to: '/sign-in', search: { ...search, next }, replace: true })
          }
        />
      )}
      {/* Remounted for each kind of account, so that errors do not carry over. */}
      <SignInForm key={search.as ?? 'patient'} search={search} />
    </AuthPage>
  )
}
