import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { TextLink, textLinkClass } from '#app/ui/button.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import type { ProviderVisit } from '#contract/booking-provider.ts'
import { Panel } from './month-earnings.tsx'

// Shared by the provider's pages of booked visits and desk bookings.

export const NAME_REMOVED = 'Name no longer kept'

/** Frame of a visit's page, also while it loads. */
export function VisitFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <TextLink
        to="/doctor/appointment-history"
        className="inline-flex min-h-11 items-center gap-1"
      >
        <ChevronLeft aria-hidden="true" className="size-5" />
        Back to Booked History
      </TextLink>
      <DataBoundary
        failed="This visit did not load"
        renderFrame={(state) => (
          <>
            <DashboardHeading title="Visit" />
            <div className="mt-6">{state}</div>
          </>
        )}
        pending={
          <PendingShapes
            className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]"
            shapes={['h-96', 'h-72']}
          />
        }
      >
        {children}
      </DataBoundary>
    </>
  )
}

/** Whether the visit is upcoming, in progress, over or cancelled; nothing once it is marked. */
export function StateBadge({
  visit,
}: {
  visit: Pick<ProviderVisit, 'state' | 'startsAt' | 'endsAt' | 'now' | 'marking'>
}) {
  if (visit.state === 'cancelled') return <Badge>Cancelled</Badge>
  if (visit.marking.outcome !== null) return null
  if (Date.parse(visit.endsAt) <= Date.parse(visit.now)) return <Badge>Over</Badge>
  const isNow = Date.parse(visit.startsAt) <= Date.parse(visit.now)
  return <Badge tone="accent">{isNow ? 'Now' : 'Upcoming'}</Badge>
}

/** A name and a value, one above the other. */
export function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type PatientPanelProps = {
  patient: { phone: string | null; email: string | null } | null
  /** Shown when the patient's details are no longer stored. */
  gone: string
  /** Said where no email address is known. */
  withoutEmail?: string
  children?: ReactNode
}

/** The patient's contact details and other known facts. */
export function PatientPanel({ patient, gone, withoutEmail, children }: PatientPanelProps) {
  if (patient === null) {
    return (
      <Panel title="Patient">
        <p className="text-muted">{gone}</p>
      </Panel>
    )
  }
  const { phone, email } = patient
  return (
    <Panel title="Patient">
      <dl className="flex flex-col gap-3">
        <Detail name="Phone">
          {phone === null ? (
            'Not given'
          ) : (
            <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} className={textLinkClass}>
              {phone}
            </a>
          )}
        </Detail>
        <Detail name="Email">
          {email === null ? (
            withoutEmail
          ) : (
            <a href={`mailto:${email}`} className={`${textLinkClass} wrap-anywhere`}>
              {email}
            </a>
          )}
        </Detail>
        {children}
      </dl>
    </Panel>
  )
}
