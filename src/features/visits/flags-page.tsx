import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { dayOf, formatFullDate } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { StaffListPage } from '#app/parts/dashboard-frame.tsx'
import { trpc } from '#app/trpc.ts'
import { textLinkClass } from '#app/ui/button.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { DEFAULT_REGION, regionFacts } from '#contract/base/region.ts'
import {
  FLAGGED_PATIENT,
  FLAGGED_PROVIDER,
  type FlaggedPatient,
  type FlaggedProvider,
} from '#contract/visits-flags.ts'

/** `/admin-home/cancellations`: patients and providers who cancel often, with links to their visits. */
export function FlagsPage() {
  return (
    <StaffListPage
      title="Frequent cancellations"
      lead="Accounts that often cancel, for you to look at. Nothing is blocked automatically."
      act="seeNames"
      pending={<PendingShapes className="grid gap-6" shapes={['h-56', 'h-56']} />}
    >
      <Flags />
    </StaffListPage>
  )
}

function Flags() {
  // Every reading of names is recorded, so the page does not refetch by itself.
  const [{ patients, providers }] = trpc.visits.flagged.useSuspenseQuery(undefined, {
    staleTime: 5_000,
    refetchOnWindowFocus: false,
  })
  const { freeCancellations, days } = FLAGGED_PATIENT
  const { percent, days: providerDays, least, leastOfFew, fullVisits } = FLAGGED_PROVIDER
  return (
    <div className="grid gap-8">
      <Kind
        title="Patients"
        rule={`${freeCancellations} or more free cancellations in the last ${days} days.`}
        none="No patient cancels that often."
      >
        {patients.map((one) => (
          <PatientRow key={one.id} patient={one} />
        ))}
      </Kind>
      <Kind
        title="Providers"
        rule={`Cancelled ${percent}% or more of their visits in the last ${providerDays} days: at least ${least} visits, or ${leastOfFew} if they had fewer than ${fullVisits}.`}
        none="No provider cancels that often."
      >
        {providers.map((one) => (
          <ProviderRow key={one.id} provider={one} />
        ))}
      </Kind>
    </div>
  )
}

type KindProps = { title: string; rule: string; none: string; children: ReactNode[] }

function Kind({ title, rule, none, children }: KindProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <p className="mt-1 mb-3 text-muted">{rule}</p>
      {children.length === 0 ? (
        <p className="rounded-card border border-line bg-surface p-4 sm:p-5">{none}</p>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {children}
        </ul>
      )}
    </section>
  )
}

type RowProps = {
  name: string
  email: string
  figures: string
  /** Time of the latest cancellation. */
  lastAt: string
  timeZone: string
  children: ReactNode
}

function Row({ name, email, figures, lastAt, timeZone, children }: RowProps) {
  return (
    <li className="grid gap-x-6 gap-y-2 p-4 sm:p-5 lg:grid-cols-[minmax(0,1fr)_14rem_14rem] lg:items-center">
      <div className="min-w-0">
        <h3 className="font-semibold wrap-anywhere">{name}</h3>
        <p className="text-sm text-muted wrap-anywhere">{email}</p>
      </div>
      <div className="tabular">
        <p>{figures}</p>
        <p className="text-sm text-muted">
          Last on {formatFullDate(dayOf(lastAt, timeZone), 'uk')}
        </p>
      </div>
      <p className="flex flex-wrap gap-x-5 lg:justify-end">{children}</p>
    </li>
  )
}

/** Link to an account's cancelled visits in the payment history. */
function CancelledLink({ email, name }: { email: string; name: string }) {
  return (
    <Link
      to="/admin-home/payments"
      search={{ search: email, state: 'cancelled' }}
      className={`${textLinkClass} inline-flex min-h-11 items-center`}
    >
      Cancelled visits<span className="sr-only"> of {name}</span>
    </Link>
  )
}

function PatientRow({ patient }: { patient: FlaggedPatient }) {
  const { name, email, freeCancellations, lastAt } = patient
  return (
    <Row
      name={name}
      email={email}
      figures={`${freeCancellations} free cancellations`}
      lastAt={lastAt}
      timeZone={regionFacts[DEFAULT_REGION].timeZone}
    >
      <CancelledLink email={email} name={name} />
    </Row>
  )
}

function ProviderRow({ provider }: { provider: FlaggedProvider }) {
  const { id, name, email, region, cancelled, visits, percent, lastAt } = provider
  return (
    <Row
      name={name}
      email={email}
      figures={`${cancelled} of ${plural(visits, 'visit')} (${percent}%)`}
      lastAt={lastAt}
      timeZone={regionFacts[region].timeZone}
    >
      <Link
        to="/admin-home/providers/$providerId"
        params={{ providerId: id }}
        className={`${textLinkClass} inline-flex min-h-11 items-center`}
      >
        Account<span className="sr-only"> of {name}</span>
      </Link>
      <CancelledLink email={email} name={name} />
    </Row>
  )
}
