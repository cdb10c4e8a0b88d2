import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'
import { earlyInput } from '#app/lib/early-input.ts'
import { controlClass, describedBy, Field, type FieldProps } from './field.tsx'

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'id'>

/** A labelled multi-line field that grows with its text where browsers support it. */
export function TextArea({ label, hint, error, counter, isOptional, ...rest }: TextAreaProps) {
  const { id, className, ref, ...area } = rest
  const field = { id, label, hint, error, ...(counter && { counter }), isOptional: !!isOptional }
  return (
    <Field {...field}>
      <textarea
        ref={earlyInput(ref)}
        rows={6}
        {...area}
        {...describedBy(field)}
        className={cx(controlClass, 'field-sizing-content max-h-128 min-h-36 py-2.5', className)}
      />
    </Field>
  )
}
