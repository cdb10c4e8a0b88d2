import { LanguagePicker } from '#app/parts/language-picker.tsx'
import { GenderSelect } from '#app/parts/provider-fields.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { regionFacts } from '#contract/region.ts'
import { FormSection, type PartProps } from './form-section.tsx'

const ABOUT_MAX = 1_500
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
        counter={`${count.format(form.values.about.length)} of ${count.format(ABOUT_MAX)} characters`}
        {...form.text('about')}
      />
    </FormSection>
  )
}
