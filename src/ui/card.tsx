import type { ComponentProps, ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'

/** A bordered surface that groups related content. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={cx('rounded-card border border-line bg-surface p-4 sm:p-6', className)}
    />
  )
}

/** The page's width: full with gutters, at most 1200 pixels (base.css names the exception). */
export function Container({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cx('mx-auto w-full max-w-(--page-width) px-4 sm:px-6 lg:px-8', className)}>
      {children}
    </div>
  )
}
