import type { ReactNode } from 'react'
import type { Form } from '#app/lib/use-form.ts'
import { bodyNames } from '#app/lib/visit-text.ts'
import { LanguagePicker } from '#app/parts/language-picker.tsx'
import { GenderSelect, PracticeFields, RegisteredName } from '#app/parts/provider-fields.tsx'
import { useSpecialities } from '#app/parts/use-specialities.ts'
import { ListEditor } from '#app/ui/list-editor.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { ProfessionalBody } from '#contract/people.ts'
import { bodyFacts } from '#contract/profiles.ts'
import { Region, regionFacts } from '#contract/region.ts'
import { NewPasswordInput } from './new-password-input.tsx'
import { type ProviderValues, providerParts } from './provider-values.ts'

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
export function PersonSection({ form }: PartProps) {
  return (
    <FormSection part={1}>
      <RegisteredName text={form.text} />
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
export function RegistrationSection({ form }: PartProps) {
  const { region } = form.values
  const specialities = useSpecialities(region)
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
export function PracticeSection({ form }: PartProps) {
  return (
    <FormSection part={3} lead="Where patients come to see you.">
      <PracticeFields text={form.text} region={form.values.region} />
    </FormSection>
  )
}

const MAX_ABOUT_LENGTH = 1_500
const count = new Intl.NumberFormat('en-GB')
/** What a visit costs and how long it takes. Amounts are typed in pounds or dollars. */
export function FeesSection({ form }: PartProps) {
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
export function AboutSection({ form }: PartProps) {
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
        counter={`${count.format(form.values.about.length)} of ${count.format(MAX_ABOUT_LENGTH)} characters`}
        {...form.text('about')}
      />
    </FormSection>
  )
}
