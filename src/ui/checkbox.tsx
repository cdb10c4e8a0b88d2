import type { ComponentProps, ReactNode } from 'react'
import { takeEarlyInput } from '#app/lib/early-input.ts'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & { label: ReactNode }

/** A native checkbox with its label; the whole row is the target, 44 pixels high. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        ref={takeEarlyInput}
        type="checkbox"
        {...input}
        className="size-5 shrink-0 accent-brand"
      />
      <span>{label}</span>
    </label>
  )
}
