import { type ReactNode, useId } from 'react'
import { Card } from '#app/ui/page.tsx'

type PanelProps = { title: string; aside?: ReactNode; children: ReactNode }

/** A section of the dashboard with its heading. */
export function Panel({ title, aside, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 id={id} className="text-xl font-semibold">
            {title}
          </h2>
          {aside && <p className="tabular text-sm text-muted">{aside}</p>}
        </div>
        {children}
      </Card>
    </section>
  )
}
