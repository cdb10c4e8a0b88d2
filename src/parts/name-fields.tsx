import type { Form } from '#app/lib/forms/use-form.ts'
import { TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'

/** A name as forms hold it: with `has_one_name` there is no last name, whatever was typed for it. */
export type NameValues = { first_name: string; last_name: string; has_one_name: boolean }

/** Values of a form for a stored name. */
export function nameValues(first_name: string, last_name: string): NameValues {
  return { first_name, last_name, has_one_name: first_name !== '' && last_name === '' }
}

/** The input of the contract for these values. What was typed as a last name stays in the form. */
export function nameInput<Values extends NameValues>(values: Values): Values {
  return values.has_one_name ? { ...values, last_name: '' } : values
}

type NameForm = {
  text: (name: 'first_name' | 'last_name') => ReturnType<Form<NameValues>['text']>
  set: (name: 'has_one_name', value: boolean) => void
  values: NameValues
}

/** First and last name, or the one name of people who have no other. */
export function NameFields({ form, hint }: { form: NameForm; hint?: string }) {
  const { has_one_name: hasOneName } = form.values
  const hinted = hint === undefined ? {} : { hint }
  return (
    <div>
      <div className="grid gap-6 sm:grid-cols-2">
        <TextInput
          label={hasOneName ? 'Name' : 'First name'}
          autoComplete={hasOneName ? 'name' : 'given-name'}
          {...hinted}
          {...form.text('first_name')}
        />
        {!hasOneName && (
          <TextInput
            label="Last name"
            autoComplete="family-name"
            {...hinted}
            {...form.text('last_name')}
          />
        )}
      </div>
      <Checkbox
        name="has_one_name"
        label="I have only one name"
        checked={hasOneName}
        onChange={({ target }) => form.set('has_one_name', target.checked)}
      />
    </div>
  )
}
