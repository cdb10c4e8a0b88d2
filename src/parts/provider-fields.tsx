import { languageName } from '#app/lib/format/words.ts'
import type { Form } from '#app/lib/forms/use-form.ts'
import { genderNames } from '#app/lib/visit-text.ts'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { RemovableChip } from '#app/ui/notice.tsx'
import { numberFormat } from '#contract/base/intl.ts'
import { Gender, LANGUAGES } from '#contract/base/people.ts'
import { MAX_ABOUT_LENGTH } from '#contract/base/provider.ts'
import { type Region, regionFacts } from '#contract/base/region.ts'

/** Returns the form's properties of a named text field. */
type Texts<Name extends string> = (name: Name) => ReturnType<Form<Record<Name, string>>['text']>

/** The address of a practice. */
export function PracticeFields(props: {
  text: Texts<'hospital_name' | 'address' | 'postcode'>
  region: Region
}) {
  const { text, region } = props
  const { codeWord, codeExample } = regionFacts[region]
  return (
    <>
      <TextInput
        label="Name of the practice"
        autoComplete="organization"
        {...text('hospital_name')}
      />
      <TextInput label="Street address" autoComplete="street-address" {...text('address')} />
      <TextInput
        label={codeWord === 'postcode' ? 'Postcode' : codeWord}
        hint={`For example ${codeExample}.`}
        autoComplete="postal-code"
        autoCapitalize="characters"
        className="max-w-44"
        {...text('postcode')}
      />
    </>
  )
}

/** A provider's gender, which they may decline to give. */
export function GenderSelect({ text }: { text: Texts<'gender'> }) {
  return (
    <Select label="Gender" isOptional hint="Some patients choose by gender." {...text('gender')}>
      <option value="">Prefer not to say</option>
      {Gender.options.map((one) => (
        <option key={one} value={one}>
          {genderNames[one]}
        </option>
      ))}
    </Select>
  )
}

type LanguagePickerProps = {
  id: string
  languages: readonly string[]
  error: string | undefined
  onChange: (languages: readonly string[]) => void
}

/** The languages a provider sees patients in: added from a list, taken away one by one. */
export function LanguagePicker({ id, languages, error, onChange }: LanguagePickerProps) {
  const left = LANGUAGES.filter((one) => !languages.includes(one))
    .map((code) => ({ code, name: languageName(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  return (
    <div className="flex flex-col gap-3">
      <Select
        id={id}
        label="Languages you see patients in"
        error={error}
        value=""
        onChange={({ target }) => onChange([...languages, target.value])}
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
              onRemove={() => onChange(languages.filter((one) => one !== code))}
            >
              {languageName(code)}
            </RemovableChip>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** "120 of 1,500 characters", below what providers say about themselves. */
export function aboutCounter(about: string): string {
  const count = (length: number) => numberFormat('en-GB').format(length)
  return `${count(about.length)} of ${count(MAX_ABOUT_LENGTH)} characters`
}
