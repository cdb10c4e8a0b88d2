import { consentField } from '#app/lib/consent.ts'
import { cx } from '#app/lib/cx.ts'
import { selectedRegion } from '#app/lib/selected-region.ts'
import { writeStored } from '#app/lib/storage.ts'
import { useForm } from '#app/lib/use-form.ts'
import { CaptchaField, useCaptcha } from '#app/parts/captcha.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { RegisterProviderInput } from '#contract/profiles.ts'
import { submitClass } from './auth-page.tsx'
import {
  AboutSection,
  FeesSection,
  PersonSection,
  PracticeSection,
  RegistrationSection,
} from './provider-sections.tsx'
import { blankProvider, type PartState, partStates, toProviderInput } from './provider-values.ts'
import type { Registered } from './register-page.tsx'
import { TermsBox } from './terms-box.tsx'

/** The provider's registration form: the whole profile and the registration to be verified. */
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
          <Button type="submit" size="large" isBusy={form.isBusy} className={submitClass}>
            {form.isBusy ? 'Registering' : 'Register'}
          </Button>
        </div>
      </div>
    </FormFrame>
  )
}

type FormProgressProps = {
  parts: readonly PartState[]
  /** Ids of fields are `<id>-<path>`. */
  id: string
}

/** Progress through a long form, always in view, with a link to the first incomplete field. */
function FormProgress({ parts, id }: FormProgressProps) {
  const done = parts.filter(({ firstOpen }) => firstOpen === null).length
  const next = parts.find(({ firstOpen }) => firstOpen !== null)
  const nextField = `${id}-${next?.firstOpen ?? ''}`
  return (
    <nav
      aria-label="Parts of this form"
      className="sticky top-0 z-10 -mx-4 flex flex-col gap-1.5 border-b border-line bg-paper px-4 pt-3 pb-1 sm:-mx-8 sm:bg-surface sm:px-8"
    >
      <ol aria-hidden="true" className="grid grid-cols-5 gap-2">
        {parts.map(({ title, firstOpen }) => (
          <li
            key={title}
            className={cx('h-1 rounded-full', firstOpen === null ? 'bg-brand' : 'bg-line')}
          />
        ))}
      </ol>
      <p className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 text-sm pointer-coarse:min-h-11">
        <span className="tabular text-muted">
          {done} of {parts.length} parts filled in
        </span>
        {next && (
          <a
            href={`#${nextField}`}
            className={cx(
              textLinkClass,
              'inline-flex min-h-6 items-center pointer-coarse:min-h-11',
            )}
            onClick={(event) => {
              event.preventDefault()
              document.getElementById(nextField)?.focus()
            }}
          >
            Next: {next.title}
          </a>
        )}
      </p>
    </nav>
  )
}
