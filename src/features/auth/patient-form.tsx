import { consentField } from '#app/lib/consent.ts'
import { useSelectedRegion } from '#app/lib/selected-region.ts'
import { writeStored } from '#app/lib/storage.ts'
import { useForm } from '#app/lib/use-form.ts'
import { CaptchaField, useCaptcha } from '#app/parts/captcha.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { DateFields } from '#app/ui/date-fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { RegisterPatientInput } from '#contract/auth.ts'
import { isOwnPath } from '#contract/next-path.ts'
import { submitClass } from './auth-page.tsx'
import { useLastRadius } from './auth-search.ts'
import { NewPasswordInput } from './new-password-input.tsx'
import type { Registered } from './register-page.tsx'
import { TermsBox } from './terms-box.tsx'

const blank = {
  first_name: '',
  last_name: '',
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
export function PatientForm({ next, onRegistered }: PatientFormProps) {
  const { client } = trpc.useUtils()
  const captcha = useCaptcha()
  const radius = useLastRadius()
  const region = useSelectedRegion()
  const form = useForm({
    blank,
    schema: RegisterPatientInput,
    toInput: (values) => ({
      ...values,
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
      <div className="grid gap-6 sm:grid-cols-2">
        <TextInput label="First name" autoComplete="given-name" {...form.text('first_name')} />
        <TextInput label="Last name" autoComplete="family-name" {...form.text('last_name')} />
      </div>
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
