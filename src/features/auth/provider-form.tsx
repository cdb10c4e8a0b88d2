import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { consentField } from '#app/lib/consent.ts'
import { cx } from '#app/lib/cx.ts'
import { parseMinorUnits } from '#app/lib/format/money.ts'
import { type Form, useForm } from '#app/lib/forms/use-form.ts'
import { writeStored } from '#app/lib/storage.ts'
import { bodyNames } from '#app/lib/visit-text.ts'
import { selectedRegion } from '#app/lib/visitor-place.ts'
import { CaptchaField, useCaptcha } from '#app/parts/captcha/captcha.tsx'
import { NameFields, nameInput } from '#app/parts/name-fields.tsx'
import {
  aboutCounter,
  GenderSelect,
  LanguagePicker,
  PracticeFields,
} from '#app/parts/provider-fields.tsx'
import { useSpecialityList } from '#app/parts/use-specialities.ts'
import { trpc } from '#app/trpc.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { RadioCards, Select, TextArea, TextInput } from '#app/ui/fields.tsx'
import { ListEditor } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { LoadNotice } from '#app/ui/notice.tsx'
import { ProfessionalBody } from '#contract/base/people.ts'
import { Region, regionFacts } from '#contract/base/region.ts'
import { bodyFacts, RegisterProviderInput } from '#contract/profiles.ts'
import { NewPasswordInput, submitClass, TermsBox } from './auth-page.tsx'
import type { Registered } from './check-mail.tsx'

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
      aria-label="Form sections"
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

/** Props of each section of the provider's form. */
type PartProps = { form: Form<ProviderValues> }

type FormSectionProps = { part: 1 | 2 | 3 | 4 | 5; lead?: string; children: ReactNode }

/** One section of a long form, under a heading that names it and shows its position. */
function FormSection({ part, lead, children }: FormSectionProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="w-full border-b border-line pb-2">
        <span className="block text-sm text-muted">
          Part {part} of {providerParts.length}
        </span>{' '}
        <span className="block text-xl font-semibold">{providerParts[part - 1]?.title}</span>
      </legend>
      {lead && <p className="mt-3 text-muted">{lead}</p>}
      <div className="mt-6 flex flex-col gap-6">{children}</div>
    </fieldset>
  )
}

/** Who the provider is, and how they sign in. */
function PersonSection({ form }: PartProps) {
  return (
    <FormSection part={1}>
      <NameFields form={form} hint="As it appears on the register." />
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="email"
        label="Email"
        hint="We’ll email you a link and a code to confirm it’s yours."
        {...form.text('email')}
      />
      <TextInput
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        label="Phone number"
        hint="For us only: patients never see it. You can add a practice phone to your place later."
        {...form.text('phone_number')}
      />
      <NewPasswordInput label="Password" {...form.text('password')} />
    </FormSection>
  )
}

/** Region, register, specialty and qualifications of the provider. */
function RegistrationSection({ form }: PartProps) {
  const { region } = form.values
  const { specialities, error, retry } = useSpecialityList(region)
  const bodies = ProfessionalBody.options.filter((body) => bodyFacts[body].region === region)
  const body = bodies.find((one) => one === form.values.registed_with.professional_body_name)
  return (
    <FormSection
      part={2}
      lead="We compare it with the public register before your profile is listed."
    >
      <RadioCards
        name={`${form.id}-region`}
        legend="Region"
        isCompact
        choices={Region.options.map((value) => ({ value, label: regionFacts[value].label }))}
        value={region}
        // Professional bodies differ by region.
        onChange={(next) => {
          form.set('region', next)
          form.set('registed_with.professional_body_name', '')
        }}
      />
      <Select label="Professional body" {...form.text('registed_with.professional_body_name')}>
        <option value="">Choose one</option>
        {bodies.map((one) => (
          <option key={one} value={one}>
            {bodyNames[one]}
          </option>
        ))}
      </Select>
      <TextInput
        label="Registration number"
        hint={body && bodyFacts[body].rule}
        inputMode="numeric"
        autoComplete="off"
        className="tabular max-w-52"
        {...form.text('registed_with.membership_number')}
      />
      {error && <LoadNotice title="The specialties didn’t load" error={error} onRetry={retry} />}
      <Select label="Specialty" {...form.text('specialty')}>
        <option value="">Choose one</option>
        {specialities.map((one) => (
          <option key={one.slug} value={one.slug}>
            {one.name}
          </option>
        ))}
      </Select>
      <ListEditor
        id={`${form.id}-qualifications`}
        legend="Qualifications"
        noun="qualification"
        hint="One per line, such as MBBS or MRCGP."
        longest={12}
        items={form.values.qualifications}
        errors={form.errors}
        onChange={(qualifications) => form.set('qualifications', qualifications)}
        onLeave={(path) => form.leave(path)}
      />
    </FormSection>
  )
}

/** The practice location. */
function PracticeSection({ form }: PartProps) {
  return (
    <FormSection part={3} lead="Where patients come to see you.">
      <PracticeFields text={form.text} region={form.values.region} />
    </FormSection>
  )
}

/** What a visit costs and how long it takes. Amounts are typed in pounds or dollars. */
function FeesSection({ form }: PartProps) {
  const unit = regionFacts[form.values.region].currency === 'GBP' ? 'pounds' : 'dollars'
  const money = {
    inputMode: 'decimal',
    autoComplete: 'off',
    className: 'tabular max-w-44',
  } as const
  return (
    <FormSection part={4} lead="Shown to patients before they book.">
      <div className="grid gap-6 sm:grid-cols-2">
        <TextInput label={`First visit, in ${unit}`} {...money} {...form.text('amount')} />
        <TextInput
          label={`Follow-up visit, in ${unit}`}
          {...money}
          {...form.text('follow_amount')}
        />
      </div>
      <TextInput
        label="Length of a visit, in minutes"
        inputMode="numeric"
        autoComplete="off"
        className="tabular max-w-28"
        {...form.text('consultation_minutes')}
      />
    </FormSection>
  )
}

/** How the provider is found and what they say about themselves. */
function AboutSection({ form }: PartProps) {
  return (
    <FormSection part={5}>
      <LanguagePicker
        id={`${form.id}-languages`}
        languages={form.values.languages}
        error={form.errors['languages']}
        onChange={(languages) => form.set('languages', languages)}
      />
      <GenderSelect text={form.text} />
      <TextArea
        label="How you work"
        hint="A few sentences in your own words: whom you see, what you are good at."
        counter={aboutCounter(form.values.about)}
        {...form.text('about')}
      />
    </FormSection>
  )
}

/** Values of the provider's registration form, as typed. */
const blankProvider = {
  first_name: '',
  last_name: '',
  has_one_name: false,
  email: '',
  phone_number: '',
  password: '',
  region: 'uk' as Region,
  registed_with: { professional_body_name: '', membership_number: '' },
  specialty: '',
  qualifications: [''] as readonly string[],
  hospital_name: '',
  address: '',
  postcode: '',
  amount: '',
  follow_amount: '',
  consultation_minutes: '30',
  languages: ['en'] as readonly string[],
  gender: '',
  about: '',
  terms: false,
}
type ProviderValues = typeof blankProvider

/** Maps the values to `RegisterProviderInput`, whose schema then validates them. */
function toProviderInput(values: ProviderValues): Record<string, unknown> {
  const { gender, ...rest } = values
  return {
    ...nameInput(rest),
    amount: parseMinorUnits(values.amount),
    follow_amount: parseMinorUnits(values.follow_amount),
    consultation_minutes: Number(values.consultation_minutes.trim() || Number.NaN),
    ...(gender !== '' && { gender }),
  }
}

/** Sections of the provider's form in order, with the values each one asks for. */
const providerParts = [
  { title: 'You', fields: ['first_name', 'last_name', 'email', 'phone_number', 'password'] },
  {
    title: 'Your registration',
    fields: ['region', 'registed_with', 'specialty', 'qualifications'],
  },
  { title: 'Your practice', fields: ['hospital_name', 'address', 'postcode'] },
  { title: 'Fees and visits', fields: ['amount', 'follow_amount', 'consultation_minutes'] },
  { title: 'About you', fields: ['languages', 'gender', 'about'] },
] as const

/** State of one section. `firstOpen` is the path of its first invalid field, null when all are valid. */
type PartState = { title: string; firstOpen: string | null }

/** Progress of each section, by the same schema that the server validates with. */
function partStates(values: ProviderValues): PartState[] {
  const { error } = z.safeParse(RegisterProviderInput, toProviderInput(values))
  const paths = (error?.issues ?? []).map((issue) => issue.path.join('.'))
  const names = Object.keys(values)
  const rank = (path: string) => Math.max(...path.split('.').map((part) => names.indexOf(part)))
  const open = paths.toSorted((a, b) => rank(a) - rank(b))
  return providerParts.map(({ title, fields }) => ({
    title,
    firstOpen: open.find((path) => fields.some((field) => path.split('.')[0] === field)) ?? null,
  }))
}
