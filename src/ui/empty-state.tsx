import type { ReactNode } from 'react'

type EmptyStateProps = { title: string; children?: ReactNode; actions?: ReactNode }

/** Nothing to show, and what to do about it. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="rounded-card border border-dashed border-field bg-surface px-4 py-12 text-center sm:px-8">
      <h2 className="text-xl font-semibold">{title}</h2>
      {children && <div className="mx-auto mt-2 max-w-prose text-muted">{children}</div>}
      {actions && <div className="mt-6 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  )
}
