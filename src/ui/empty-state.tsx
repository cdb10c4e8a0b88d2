import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  actions?: ReactNode
  /** The heading's level: one below the heading of the part that is empty. */
  level?: 2 | 3
}

/** Nothing to show, and what to do about it. */
export function EmptyState({ title, children, actions, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className="rounded-card border border-dashed border-field bg-surface px-4 py-12 text-center sm:px-8">
      <Heading className="text-xl font-semibold">{title}</Heading>
      {children && <div className="mx-auto mt-2 max-w-prose text-muted">{children}</div>}
      {actions && <div className="mt-6 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  )
}
