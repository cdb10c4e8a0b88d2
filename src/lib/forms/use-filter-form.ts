import { useId } from 'react'
import {
  type DefaultValues,
  type FieldPathByValue,
  type FieldValues,
  type RegisterOptions,
  useForm,
  useWatch,
} from 'react-hook-form'

/**
 * A form of filters, applied on submit. When the applied filters change, such as by going back in the browser,
 * the form shows those again.
 */
export function useFilterForm<Draft extends FieldValues>(
  applied: Draft,
  reValidateMode: 'onChange' | 'onSubmit' = 'onChange',
) {
  const id = useId()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all of them are given
  const defaultValues = applied as DefaultValues<Draft>
  const form = useForm<Draft>({ defaultValues, values: applied, reValidateMode })
  useWatch({ control: form.control })
  return {
    id,
    form,
    /** What a text field or select needs: `{...field('region')}`. */
    field: <Name extends FieldPathByValue<Draft, string>>(
      name: Name,
      rules?: RegisterOptions<Draft, Name>,
    ) => ({
      id: `${id}-${name}`,
      ...form.register(name, rules),
      value: form.getValues(name),
    }),
  }
}
