import type { ReactNode } from 'react'

type ErrorStateProps = {
  title: string
  sentence: string
  reference: string | null
  /** The way out; there always is one. */
  actions: ReactNode
}

/** Something failed: what, what to do, and the number to quote. */
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
