import type { ReactNode } from 'react'

type PanelProps = {
  id: string
  title: string
  lead?: ReactNode
  /** At the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** One part of a page about hours, under its own heading. */
export function Panel({ id, title, lead, actions, children }: PanelProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="min-w-0 scroll-mt-4 rounded-card border border-line bg-surface p-4 sm:p-6"
    >
      <div className="flex items-start justify-between gap-x-4 gap-y-3 max-sm:flex-col">
        <div className="min-w-0">
          <h2 id={`${id}-title`} tabIndex={-1} className="text-xl font-semibold outline-none">
            {title}
          </h2>
          {lead && <p className="mt-1 max-w-prose text-muted">{lead}</p>}
        </div>
        {actions && <div className="shrink-0">{actions}</div>}
      </div>
      <div className="mt-4 min-w-0">{children}</div>
    </section>
  )
}
