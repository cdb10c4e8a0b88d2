import type { ReactNode } from 'react'

type AccountSectionProps = { id: string; title: string; lead?: ReactNode; children: ReactNode }

/** One part of the account: its name at the left from 1024 pixels, above it on smaller screens. */
export function AccountSection({ id, title, lead, children }: AccountSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid gap-6 border-t border-line py-8 lg:grid-cols-[18rem_1fr] lg:gap-12 lg:py-12"
    >
      <div>
        <h2 id={`${id}-title`} className="text-xl font-semibold">
          {title}
        </h2>
        {lead && <p className="mt-2 text-muted">{lead}</p>}
      </div>
      <div className="min-w-0 max-w-160">{children}</div>
    </section>
  )
}
