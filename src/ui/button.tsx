import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts'
import { Spinner } from './spinner.tsx'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Work is under way: presses do nothing, the label stays, a spinner turns. */
  isBusy?: boolean
}

/** A button of the house. It keeps focus while busy, so that screen readers stay with it. */
export function Button(props: ButtonProps) {
  const { variant, size, isBusy = false, className, children, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={cx(buttonClass(variant, size), className)}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}
