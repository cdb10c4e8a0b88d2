import { type ReactNode, useState } from 'react'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import type { Availability } from '#contract/availability.ts'

type HoursPageProps = {
  title: string
  /** Renders the page once the data is loaded. */
  children: (mine: Availability) => ReactNode
}

/** Frame of a page about the provider's own hours: its heading, and its loading and error states. */
export function HoursPage({ title, children }: HoursPageProps) {
  return (
    <DashboardHeading title={title}>
      <DataBoundary
        failed="Your hours did not load"
        renderFrame={(state) => <div className="mt-6">{state}</div>}
        pending={<PendingShapes shapes={['h-14', 'h-128']} />}
      >
        <Body>{children}</Body>
      </DataBoundary>
    </DashboardHeading>
  )
}

function Body({ children }: Pick<HoursPageProps, 'children'>) {
  const [mine] = trpc.availability.mine.useSuspenseQuery()
  if (mine.places.length === 0) {
    return (
      <div className="mt-6">
        <EmptyState
          title="First add a place"
          actions={
            <LinkButton to="/doctor/profile" hash="places">
              Add a place
            </LinkButton>
          }
        >
          Hours belong to a place where you see patients.
        </EmptyState>
      </div>
    )
  }
  return children(mine)
}

/** Fetches the saved availability, bypassing the cache. */
export function useNewestMine(): () => Promise<Availability> {
  const utils = trpc.useUtils()
  return () => utils.availability.mine.fetch(undefined, { staleTime: 0 })
}

/** Shown under a form rejected because of a change in another window: reloads, and keeps the typed values. */
export function StaleHelp({ failure }: { failure: Failure | null }) {
  const load = useNewestMine()
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  if (failure?.code !== 'changed_meanwhile') return null
  const reload = async () => {
    setBusy(true)
    setMessage(null)
    try {
      await load()
    } catch (error) {
      setMessage(describeFailure(error).sentence)
    }
    setBusy(false)
  }
  return (
    <Notice kind="warn" title="What you typed is still here">
      <p>Load the saved version, check it, then send yours again.</p>
      {message !== null && <p role="alert">{message}</p>}
      <Button variant="secondary" className="mt-3" isBusy={isBusy} onClick={() => void reload()}>
        Load the saved version
      </Button>
    </Notice>
  )
}

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
