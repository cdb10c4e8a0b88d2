import { languageName } from '#app/lib/language-name.ts'
import { textFields } from '#app/lib/use-form.ts'
import { RemovableChip } from '#app/ui/chip.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { LANGUAGES } from '#contract/languages.ts'
import { Gender } from '#contract/professions.ts'
import { regionFacts } from '#contract/region.ts'
import { FormSection, type PartProps } from './form-section.tsx'

const ABOUT_MAX = 1_500
const count = new Intl.NumberFormat('en-GB')
const genders: Record<Gender, string> = {
  female: 'Female',
  male: 'Male',
  non_binary: 'Non-binary',
}

/** What a visit costs and how long it takes. Amounts are typed in pounds or dollars. */
export function FeesSection({ form, id }: PartProps) {
  const text = textFields(form, id)
  const unit = regionFacts[form.values.region].currency === 'GBP' ? 'pounds' : 'dollars'
  const money = {
    inputMode: 'decimal',
    autoComplete: 'off',
    className: 'tabular max-w-44',
  } as const
  return (
    <FormSection title="Fees and visits" lead="Shown to patients before they book.">
      <div className="grid gap-6 sm:grid-cols-2">
        <TextInput label={`First visit, in ${unit}`} {...money} {...text('amount')} />
        <TextInput label={`Follow-up visit, in ${unit}`} {...money} {...text('follow_amount')} />
      </div>
      <TextInput
        label="Length of a visit, in minutes"
        inputMode="numeric"
        autoComplete="off"
        className="tabular max-w-28"
        {...text('consultation_minutes')}
      />
    </FormSection>
  )
}

function Languages({ form, id }: PartProps) {
  const { languages } = form.values
  const error = form.errors['languages']
  const left = LANGUAGES.filter((one) => !languages.includes(one))
    .map((code) => ({ code, name: languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  return (
    <div className="flex flex-col gap-3">
      <Select
        id={`${id}-languages`}
        label="Languages you see patients in"
        error={error}
        value=""
        onChange={({ target }) => form.change({ languages: [...languages, target.value] })}
      >
        <option value="">Add a language</option>
        {left.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <ul aria-label="Chosen languages" className="flex flex-wrap gap-2">
        {languages.map((code) => (
          <li key={code}>
            <RemovableChip
              removeLabel={`Remove ${languageName(code)}`}
              onRemove={() => form.change({ languages: languages.filter((one) => one !== code) })}
            >
              {languageName(code)}
            </RemovableChip>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** How the provider is found and what they say about themselves. */
export function AboutSection({ form, id }: PartProps) {
  const text = textFields(form, id)
  return (
    <FormSection title="About you">
      <Languages form={form} id={id} />
      <Select label="Gender" isOptional hint="Some patients choose by it." {...text('gender')}>
        <option value="">Rather not say</option>
        {Gender.options.map((one) => (
          <option key={one} value={one}>
            {genders[one]}
          </option>
        ))}
      </Select>
      <TextArea
        label="How you work"
        hint="A few sentences in your own words: whom you see, what you are good at."
        counter={`${count.format(form.values.about.length)} of ${count.format(ABOUT_MAX)} characters`}
        {...text('about')}
      />
    </FormSection>
  )
}
