import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'
import { earlyInput } from '#app/lib/early-input.ts'
import { controlClass, describedBy, Field, type FieldProps } from './field.tsx'

type TextInputProps = FieldProps & Omit<ComponentProps<'input'>, 'id'>

/** A labelled one-line field. */
export function TextInput({ label, hint, error, counter, isOptional, ...rest }: TextInputProps) {
  const { id, className, ref, ...input } = rest
  const field = { id, label, hint, error, ...(counter && { counter }), isOptional: !!isOptional }
  return (
    <Field {...field}>
      <input
        ref={earlyInput(ref)}
        type="text"
        {...input}
        {...describedBy(field)}
        className={cx(controlClass, className)}
      />
    </Field>
  )
}
