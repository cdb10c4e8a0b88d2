import { languageName } from '#app/lib/format.ts'
import { RemovableChip } from '#app/ui/badge.tsx'
import { Select } from '#app/ui/select.tsx'
import { LANGUAGES } from '#contract/languages.ts'

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
