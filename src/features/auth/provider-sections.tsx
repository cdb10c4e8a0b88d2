import { bodyNames } from '#app/lib/words.ts'
import { PracticeFields, RegisteredName } from '#app/parts/provider-fields.tsx'
import { useSpecialities } from '#app/parts/use-specialities.ts'
import { ListEditor } from '#app/ui/list-editor.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { ProfessionalBody } from '#contract/people.ts'
import { bodyFacts } from '#contract/profiles.ts'
import { Region, regionFacts } from '#contract/region.ts'
import { FormSection, type PartProps } from './form-section.tsx'
import { NewPasswordInput } from './new-password-input.tsx'

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
        hint="We send a link and a code there to confirm that it is yours."
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

/** Where they work, who keeps their registration, and what they are trained in. */
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
        // The other region has other registers and other names for what people do.
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
        hint="One to a line, such as MBBS or MRCGP."
        longest={12}
        items={form.values.qualifications}
        errors={form.errors}
        onChange={(qualifications) => form.set('qualifications', qualifications)}
        onLeave={(path) => form.leave(path)}
      />
    </FormSection>
  )
}

/** The place of the practice. */
export function PracticeSection({ form }: PartProps) {
  return (
    <FormSection part={3} lead="Where patients come to see you.">
      <PracticeFields text={form.text} region={form.values.region} />
    </FormSection>
  )
}
