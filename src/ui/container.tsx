import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'

/** The page's measure: full width with gutters, at most 1200 pixels. */
export function Container({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cx('mx-auto w-full max-w-page px-4 sm:px-6 lg:px-8', className)}>
      {children}
    </div>
  )
}
