import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { consentField } from '#app/lib/consent.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { writeStored } from '#app/lib/storage.ts'
import { useSelectedRegion } from '#app/lib/visitor-place.ts'
import { CaptchaField, useCaptcha } from '#app/parts/captcha/captcha.tsx'
import { NameFields, nameInput } from '#app/parts/name-fields.tsx'
import { useNextWithHold, VisitorHoldCard } from '#app/parts/visits/visitor-hold.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { DateFields } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { RegisterPatientInput, type UserType } from '#contract/auth.ts'
import { isOwnPath } from '#contract/base/next-path.ts'
import {
  AccountTypeSwitch,
  AuthPage,
  InsecureNotice,
  NewPasswordInput,
  submitClass,
  TermsBox,
} from './auth-page.tsx'
import type { AuthSearch } from './auth-search.ts'
import { CheckMail, type Registered } from './check-mail.tsx'
import { useLastRadius } from './last-radius.ts'
import { ProviderForm } from './provider-form.tsx'

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
      <AccountTypeSwitch search={search} />
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

const blank = {
  first_name: '',
  last_name: '',
  has_one_name: false,
  email: '',
  phone_number: '',
  date_of_birth: '',
  password: '',
  terms: false,
}

type PatientFormProps = {
  /** Where the link in the email leads afterwards. */
  next: string | undefined
  onRegistered: (done: Registered) => void
}

/** The patient's registration. */
function PatientForm({ next, onRegistered }: PatientFormProps) {
  const { client } = trpc.useUtils()
  const captcha = useCaptcha()
  const radius = useLastRadius()
  const region = useSelectedRegion()
  const form = useForm({
    blank,
    schema: RegisterPatientInput,
    toInput: (values) => ({
      ...nameInput(values),
      selectedRegion: region,
      ...(radius && { temp_distance: radius }),
      ...consentField(),
      ...(next !== undefined && isOwnPath(next) && { next }),
    }),
    send: async (input) => {
      const captchaValue = await captcha.solve()
      try {
        const answer = await client.auth.registerPatient.mutate({
          ...input,
          ...(captchaValue && { captchaValue }),
        })
        return { email: input.email, handle: answer.auth_token }
      } finally {
        captcha.renew()
      }
    },
    onSent: ({ email, handle }) => {
      writeStored('auth_token', handle)
      onRegistered({ email, userType: 'patient', handle })
    },
  })
  return (
    <FormFrame form={form} label="Register as a patient" failureTitle="Not registered">
      <NameFields form={form} />
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="email"
        label="Email"
        hint="We’ll email you a link to confirm it’s yours."
        {...form.text('email')}
      />
      <TextInput
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        label="Phone number"
        {...form.text('phone_number')}
      />
      <DateFields
        label="Date of birth"
        region={region}
        isBirthday
        {...form.text('date_of_birth')}
      />
      <NewPasswordInput label="Password" {...form.text('password')} />
      <TermsBox
        id={`${form.id}-terms`}
        isChecked={form.values.terms}
        error={form.errors['terms']}
        onChange={(terms) => form.set('terms', terms)}
      />
      <CaptchaField captcha={captcha} />
      <div>
        <Button type="submit" size="large" isBusy={form.isBusy} className={submitClass}>
          {form.isBusy ? 'Registering' : 'Register'}
        </Button>
      </div>
    </FormFrame>
  )
}
