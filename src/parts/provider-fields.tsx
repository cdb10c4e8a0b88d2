import type { Form } from '#app/lib/use-form.ts'
import { genderNames } from '#app/lib/visit-text.ts'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { Gender } from '#contract/people.ts'
import { type Region, regionFacts } from '#contract/region.ts'

/** Returns the form's properties of a named text field. */
type Texts<Name extends string> = (name: Name) => ReturnType<Form<Record<Name, string>>['text']>

/** The name to look up in the register. */
export function RegisteredName({ text }: { text: Texts<'first_name' | 'last_name'> }) {
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <TextInput
        label="First name"
        hint="As it appears on the register."
        autoComplete="given-name"
        {...text('first_name')}
      />
      <TextInput
        label="Last name"
        hint="As it appears on the register."
        autoComplete="family-name"
        {...text('last_name')}
      />
    </div>
  )
}

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
