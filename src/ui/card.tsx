import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'

/** A surface with a hairline: one thing and what belongs to it. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={cx('rounded-card border border-line bg-surface p-4 sm:p-6', className)}
    />
  )
}
