import type { ReactNode } from 'react'

/** The way here, outermost first; pass links, the current page last as plain text. */
export function Breadcrumb({ trail, current }: { trail: readonly ReactNode[]; current: string }) {
  return (
    <nav aria-label="Breadcrumb" className="no-print text-sm">
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        {trail.map((step, at) => (
          // The trail of a page never changes order, so the position is the identity.
          <li key={at} className="after:ml-2 after:text-field after:content-['/']">
            {step}
          </li>
        ))}
        <li aria-current="page" className="min-w-0 truncate">
          {current}
        </li>
      </ol>
    </nav>
  )
}
