import { consentField } from '#app/lib/consent.ts'
import { selectedRegion } from '#app/lib/selected-region.ts'
import { writeStored } from '#app/lib/storage.ts'
import { useForm } from '#app/lib/use-form.ts'
import { CaptchaField, useCaptcha } from '#app/parts/captcha.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { RegisterProviderInput } from '#contract/profiles.ts'
import { sendClass } from './auth-page.tsx'
import { FormProgress } from './form-progress.tsx'
import { AboutSection, FeesSection } from './provider-offer.tsx'
import { partStates } from './provider-parts.ts'
import { PersonSection, PracticeSection, RegistrationSection } from './provider-sections.tsx'
import { blankProvider, toProviderInput } from './provider-values.ts'
import type { Registered } from './register-page.tsx'
import { TermsBox } from './terms-box.tsx'

/** The provider's registration: the whole profile and the claim that is to be checked. */
export function ProviderForm({ onRegistered }: { onRegistered: (done: Registered) => void }) {
  const { client } = trpc.useUtils()
  const captcha = useCaptcha()
  const form = useForm({
    blank: { ...blankProvider, region: selectedRegion() },
    schema: RegisterProviderInput,
    toInput: (values) => ({ ...toProviderInput(values), ...consentField() }),
    send: async (input) => {
      const captchaValue = await captcha.solve()
      try {
        const answer = await client.profiles.registerProvider.mutate({
          ...input,
          ...(captchaValue && { captchaValue }),
        })
        return { email: input.email, handle: answer.auth_token }
      } finally {
        captcha.renew()
      }
    },
    onSent: ({ email, handle }) => {
      writeStored('provider_auth_token', handle)
      onRegistered({ email, userType: 'provider', handle })
    },
  })
  const part = { form }
  return (
    <FormFrame
      form={form}
      label="Register as a provider"
      failureTitle="Not registered"
      className="gap-12"
    >
      <FormProgress parts={partStates(form.values)} id={form.id} />
      <PersonSection {...part} />
      <RegistrationSection {...part} />
      <PracticeSection {...part} />
      <FeesSection {...part} />
      <AboutSection {...part} />
      <div className="flex flex-col gap-6">
        <TermsBox
          id={`${form.id}-terms`}
          isChecked={form.values.terms}
          error={form.errors['terms']}
          onChange={(terms) => form.set('terms', terms)}
        />
        <CaptchaField captcha={captcha} />
        <div>
          <Button type="submit" size="large" isBusy={form.isBusy} className={sendClass}>
            {form.isBusy ? 'Registering' : 'Register'}
          </Button>
        </div>
      </div>
    </FormFrame>
  )
}
