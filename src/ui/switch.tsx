import type { ComponentProps, ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'

type SwitchProps = Omit<ComponentProps<'button'>, 'onChange' | 'role' | 'children'> & {
  isOn: boolean
  onChange: () => void
  /** What is on or off. */
  children: ReactNode
}

/** Takes effect at once, without saving: the label is part of the target, 44 pixels high. */
export function Switch({ isOn, onChange, children, className, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      {...rest}
      role="switch"
      aria-checked={isOn}
      onClick={onChange}
      className={cx(
        'inline-flex min-h-11 items-center gap-3 rounded-field text-left font-semibold',
        className,
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          'relative h-6 w-11 shrink-0 rounded-full border transition-colors duration-150',
          isOn ? 'border-brand bg-brand' : 'border-field bg-sunken',
        )}
      >
        <span
          className={cx(
            'absolute top-0.75 left-0.75 size-4 rounded-full transition-transform duration-150 ease-calm',
            isOn ? 'translate-x-5 bg-on-brand' : 'bg-field',
          )}
        />
      </span>
      {children}
    </button>
  )
}
