import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { controlClass, describedBy, Field, type FieldProps } from './field.tsx'

type PasswordInputProps = FieldProps & Omit<ComponentProps<'input'>, 'id' | 'type'>

/** A password field with a button that reveals it. Pasting and password managers work. */
export function PasswordInput({ label, hint, error, counter, ...rest }: PasswordInputProps) {
  const { id, className, isOptional, ...input } = rest
  const field = { id, label, hint, error, ...(counter && { counter }), isOptional: !!isOptional }
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field {...field}>
      <div className="relative">
        <input
          {...input}
          {...describedBy(field)}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={cx(controlClass, 'pr-24', className)}
        />
        <button
          type="button"
          aria-controls={id}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 inline-flex min-w-20 items-center justify-center gap-1.5 rounded-field px-3 text-sm font-semibold text-brand-deep hover:bg-tint"
        >
          <Icon aria-hidden="true" className="size-4" />
          {isShown ? 'Hide' : 'Show'}
          <span className="sr-only"> password</span>
        </button>
      </div>
    </Field>
  )
}
