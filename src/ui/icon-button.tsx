import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** What it does and to what: also shown when the pointer rests on it. */
  label: string
}

/** A button of an icon alone, 44 pixels each way. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={cx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-field text-brand-deep transition-colors duration-150',
        'hover:bg-tint disabled:cursor-not-allowed disabled:text-field disabled:hover:bg-transparent',
        className,
      )}
    />
  )
}
