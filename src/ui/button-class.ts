import { cx } from '#app/lib/cx.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'dangerQuiet'
export type ButtonSize = 'normal' | 'large'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-brand text-on-brand border-transparent hover:bg-brand-deep',
  secondary: 'bg-surface text-brand-deep border-field hover:bg-tint hover:border-brand',
  quiet: 'bg-transparent text-brand-deep border-transparent hover:bg-tint',
  /** Leads to the question before something that cannot be undone; `danger` answers it. */
  dangerQuiet: 'bg-surface text-danger border-danger hover:bg-danger hover:text-on-brand',
  danger: 'bg-danger text-on-brand border-transparent hover:opacity-90',
}

const sizes: Record<ButtonSize, string> = {
  normal: 'min-h-11 px-4 text-base',
  large: 'min-h-13 px-6 text-lg',
}

/** The look of a button, for the elements that are one and the links that look like one. */
export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'normal') {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-field border font-semibold no-underline',
    'transition-colors duration-150 select-none',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-60 disabled:cursor-not-allowed disabled:opacity-60',
    variants[variant],
    sizes[size],
  )
}
