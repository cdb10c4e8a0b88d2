import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'

type LinkTabsProps = { label: string; className: string; children: ReactNode }

/** Links to the views of one page, side by side; each is a `Link` with `linkTab`. */
export function LinkTabs({ label, className, children }: LinkTabsProps) {
  return (
    <nav
      aria-label={label}
      className={cx('flex gap-1 rounded-card border border-line bg-surface p-1', className)}
    >
      {children}
    </nav>
  )
}

/** Properties of such a link. They share a path, so the query string decides which one is current. */
export const linkTab = {
  replace: true,
  activeOptions: { exact: true, includeSearch: true },
  className:
    'inline-flex min-h-11 flex-1 items-center justify-center rounded-field px-4 font-semibold text-brand-deep ' +
    'no-underline transition-colors duration-150 hover:bg-tint aria-[current=page]:bg-brand aria-[current=page]:text-on-brand',
} as const
