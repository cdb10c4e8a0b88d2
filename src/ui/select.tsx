import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'
import { earlyInput } from '#app/lib/early-input.ts'
import { controlClass, describedBy, Field, type FieldProps } from './field.tsx'

type SelectProps = FieldProps & Omit<ComponentProps<'select'>, 'id'>

/** A labelled native select: the best picker on every phone is the phone's own. */
export function Select({ label, hint, error, counter, isOptional, ...rest }: SelectProps) {
  const { id, className, ref, ...select } = rest
  const field = { id, label, hint, error, ...(counter && { counter }), isOptional: !!isOptional }
  return (
    <Field {...field}>
      {/* Both shrink together: the arrow stays inside the border. */}
      <div className={cx('relative', className)}>
        <select
          ref={earlyInput(ref)}
          {...select}
          {...describedBy(field)}
          className={cx(controlClass, 'appearance-none truncate pr-10')}
        />
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-muted"
        />
      </div>
    </Field>
  )
}
