import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useNextWithHold, VisitorHoldCard } from '#app/parts/visitor-hold.tsx'
import { TextLink } from '#app/ui/button.tsx'
import type { UserType } from '#contract/auth.ts'
import { AccountTypeSwitch } from './account-type-switch.tsx'
import { AuthPage } from './auth-page.tsx'
import type { AuthSearch } from './auth-search.ts'
import { CheckMail } from './check-mail.tsx'
import { InsecureNotice } from './insecure-notice.tsx'
import { PatientForm } from './patient-form.tsx'
import { ProviderForm } from './provider-form.tsx'

/** The new account; `handle` is the pending `auth_token`, useless on its own. */
export type Registered = { email: string; userType: UserType; handle: string }

const leads = {
  patient: 'Create an account to book and manage visits.',
  provider: 'Patients find you once your registration has been checked.',
}

/** `/register`, for patients and with `?as=provider` for providers. */
export function RegisterPage({ search }: { search: AuthSearch }) {
  const [registered, setRegistered] = useState<Registered | null>(null)
  const navigate = useNavigate()
  const userType: UserType = search.as ?? 'patient'
  // Both forms stay mounted once opened, so that switching loses nothing typed.
  const [started, setStarted] = useState<readonly UserType[]>([userType])
  if (!started.includes(userType)) setStarted([...started, userType])
  const next = useNextWithHold(search.next)
  const hold = (
    <VisitorHoldCard
      next={search.next}
      onNext={(chosen) =>
        void navigate({ to: '/register', search: { ...search, next: chosen }, replace: true })
      }
    />
  )
  if (registered !== null) {
    return (
      <AuthPage title="Check your email" isNarrow isAnswer>
        {registered.userType === 'patient' && hold}
        <CheckMail registered={registered} next={next} />
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Register" lead={leads[userType]}>
      <InsecureNotice />
      {userType === 'patient' && hold}
      <AccountTypeSwitch to="/register" search={search} />
      {started.includes('provider') && (
        <div hidden={userType !== 'provider'}>
          <ProviderForm
            onRegistered={({ email: registeredEmail }) =>
              void navigate({ to: '/provider-verify', state: { registeredEmail } })
            }
          />
        </div>
      )}
      {started.includes('patient') && (
        <div hidden={userType !== 'patient'}>
          <PatientForm next={next} onRegistered={setRegistered} />
        </div>
      )}
      <p className="border-t border-line pt-6">
        Registered already?{' '}
        <TextLink to="/sign-in" search={search}>
          Sign in
        </TextLink>
      </p>
    </AuthPage>
  )
}
