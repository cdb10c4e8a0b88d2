import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'
import { takeEarlyInput } from '#app/lib/early-input.ts'

type PillSelectProps = Omit<ComponentProps<'select'>, 'aria-label'> & {
  /** For screen readers; the options must make sense without it. */
  label: string
  /** Something other than the first option is chosen. */
  isActive: boolean
}

/** A native select in the shape of a chip, for a bar of filters. */
export function PillSelect({ label, isActive, className, ...select }: PillSelectProps) {
  return (
    <span className="relative inline-flex max-w-full">
      <select
        ref={takeEarlyInput}
        {...select}
        aria-label={label}
        className={cx(
          'field-sizing-content min-h-11 max-w-56 appearance-none truncate rounded-full border pr-9 pl-4 text-base font-medium',
          'transition-colors duration-150 hover:border-brand',
          isActive ? 'border-brand bg-tint text-brand-deep' : 'border-field bg-surface text-ink',
          className,
        )}
      />
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4.5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
