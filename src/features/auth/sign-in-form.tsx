import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { consentField } from '#app/lib/consent.ts'
import { describeFailure, isFailedCall } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { recordFailedSignIn } from '#app/lib/session.ts'
import { useNextWithHold, VisitorHoldCard } from '#app/parts/visits/visitor-hold.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { RadioCards, TextInput } from '#app/ui/fields.tsx'
import { PasswordInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { type Me, SignInInput, type SignInResponse, UserType } from '#contract/auth.ts'
import {
  AuthPage,
  InsecureNotice,
  SecondFactorForm,
  StepButtons,
  submitClass,
} from './auth-page.tsx'
import type { AuthSearch } from './auth-search.ts'
import { useCompleteSignIn } from './complete-sign-in.ts'
import { ResendNotice } from './resend-notice.tsx'

const blank = { email: '', password: '' }

type Step = { name: 'password' } | { name: 'account' | 'code'; accepted: SignInInput }

/** Steps that the server asks for once the password was right. */
const NEXT_STEPS: Partial<Record<string, 'account' | 'code'>> = {
  user_type_required: 'account',
  second_factor_required: 'code',
}

/** The kind of the account whose address has to be confirmed, from the refusal that says so. */
function unverifiedType(error: unknown): UserType | null {
  const given = isFailedCall(error) ? error.data?.details['user_type'] : null
  const parsed = UserType.safeParse(given)
  return parsed.success ? parsed.data : null
}

/** Signs in step by step, from the password on. */
function useSignIn(next: string | undefined) {
  const { client } = trpc.useUtils()
  const nextWithHold = useNextWithHold(next)
  const complete = { patient: useCompleteSignIn(nextWithHold), others: useCompleteSignIn(next) }
  const [step, setStep] = useState<Step>({ name: 'password' })
  const [unverified, setUnverified] = useState<UserType | null>(null)
  return {
    step,
    unverified,
    next: nextWithHold,
    goBack: () => setStep({ name: 'password' }),
    signIn: (input: SignInInput) => client.auth.signIn.mutate(input),
    /** Null when another step is needed. */
    attempt: async (input: SignInInput): Promise<SignInResponse | null> => {
      setUnverified(null)
      try {
        return await client.auth.signIn.mutate(input)
      } catch (error) {
        const name = NEXT_STEPS[describeFailure(error).code]
        if (name === undefined) {
          setUnverified(unverifiedType(error))
          recordFailedSignIn()
          throw error
        }
        setStep({ name, accepted: input })
        return null
      }
    },
    // A held time is a patient's.
    arrive: (me: Me) => complete[me.kind === 'patient' ? 'patient' : 'others'](me),
  }
}

type SigningIn = ReturnType<typeof useSignIn>

const accountChoices: readonly { value: UserType; label: string }[] = [
  { value: 'patient', label: 'My patient account' },
  { value: 'provider', label: 'My provider account' },
]

type AccountFormProps = { accepted: SignInInput; signing: SigningIn; preferred: UserType }

/** Asked only where the address has two accounts with the same password. */
function AccountForm({ accepted, signing, preferred }: AccountFormProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused element was removed with the first step.
  useEffect(() => heading.current?.focus(), [])
  const form = useForm({
    blank: { user_type: preferred },
    schema: SignInInput,
    toInput: (values) => ({ ...accepted, ...values }),
    send: signing.attempt,
    onSent: async (answer) => {
      if (answer !== null) await signing.arrive(answer.me)
    },
  })
  return (
    <FormFrame form={form} label="Choose an account" failureTitle="Couldn’t sign you in">
      {signing.unverified !== null && (
        <ResendNotice email={accepted.email} userType={signing.unverified} next={signing.next} />
      )}
      <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
        Which account do you want to sign in to?
      </h2>
      <RadioCards
        name={`${form.id}-account`}
        legend="Your accounts with this email address"
        isCompact
        choices={accountChoices}
        value={form.values.user_type}
        onChange={(chosen) => form.set('user_type', chosen)}
      />
      <StepButtons isBusy={form.isBusy} onBack={signing.goBack} />
    </FormFrame>
  )
}

/**
 * Email and password for patients and providers alike: the server knows whose they are. Then the account where there
 * are two, and the authenticator code for users who have set it up.
 */
function SignInForm({ search }: { search: AuthSearch }) {
  const signing = useSignIn(search.next)
  const { step } = signing
  const form = useForm({
    blank,
    schema: SignInInput,
    toInput: (values) => ({ ...values, ...consentField() }),
    send: signing.attempt,
    onSent: async (answer) => {
      if (answer !== null) await signing.arrive(answer.me)
    },
  })

  if (step.name === 'account') {
    return (
      <AccountForm accepted={step.accepted} signing={signing} preferred={search.as ?? 'patient'} />
    )
  }
  if (step.name === 'code') {
    return (
      <SecondFactorForm
        signIn={(code) => signing.signIn({ ...step.accepted, ...code })}
        onArrive={signing.arrive}
        onBack={signing.goBack}
      />
    )
  }
  return (
    <>
      <FormFrame form={form} label="Sign in" failureTitle="Couldn’t sign you in">
        {form.failure?.code === 'email_unverified' && signing.unverified !== null && (
          <ResendNotice
            email={form.values.email}
            userType={signing.unverified}
            next={signing.next}
          />
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
      <RegisterLinks search={search} />
    </>
  )
}

function RegisterLinks({ search: { as: _as, ...rest } }: { search: AuthSearch }) {
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-2 border-t border-line pt-6">
      <span className="basis-full">New here?</span>
      <TextLink to="/register" search={rest}>
        Register as a patient
      </TextLink>
      <TextLink to="/register" search={{ ...rest, as: 'provider' }}>
        Register as a provider
      </TextLink>
    </p>
  )
}

/** `/sign-in`, for patients and providers. */
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
      <SignInForm search={search} />
    </AuthPage>
  )
}
