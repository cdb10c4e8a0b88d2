import type { ReactNode } from 'react'

type AccountSectionProps = { id: string; title: string; lead?: ReactNode; children: ReactNode }

/** One part of the account under its heading; `id` is where the list of parts leads. */
export function AccountSection({ id, title, lead, children }: AccountSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="border-t border-line py-8 first:border-0 first:pt-0 only:py-0 sm:py-10 sm:only:py-0"
    >
      <h2 id={`${id}-title`} className="text-xl font-semibold">
        {title}
      </h2>
      {lead && <p className="mt-1 max-w-prose text-muted">{lead}</p>}
      <div className="mt-5 min-w-0">{children}</div>
    </section>
  )
}

/** How things stand, and at its end the one button that changes it; below it on phones. */
export function StateRow({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:justify-between sm:gap-8">
      <div className="min-w-0">{children}</div>
      <div className="flex shrink-0 flex-wrap gap-3">{action}</div>
    </div>
  )
}
