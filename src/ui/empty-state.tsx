import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  actions?: ReactNode
  /** Heading level: one below the heading of the empty section. */
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

type ErrorStateProps = {
  title: string
  sentence: string
  reference: string | null
  /** Actions to recover; there always is one. */
  actions: ReactNode
}

/** An error: what failed, what to do, and the reference number to quote. */
export function ErrorState({ title, sentence, reference, actions }: ErrorStateProps) {
  return (
    <div role="alert" className="rounded-card border border-line bg-surface p-6 sm:p-8">
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="mt-2 max-w-prose text-muted">{sentence}</p>
      {reference && (
        <p className="mt-2 text-sm text-muted">
          Reference: <span className="tabular select-all">{reference}</span>
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">{actions}</div>
    </div>
  )
}
