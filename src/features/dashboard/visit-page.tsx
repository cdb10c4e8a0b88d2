import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { formatLongDate, formatTime } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { visitHours, visitMoment, visitTypeText } from '#app/lib/visit-text.ts'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { JoinVideo } from '#app/parts/visits/visit-buttons.tsx'
import { Fact, FactList, VisitMoves, VisitTime } from '#app/parts/visits/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { TextLink, textLinkClass } from '#app/ui/button.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import { phoneLink } from '#contract/base/phones.ts'
import type { ProviderVisit } from '#contract/booking-provider.ts'
import { MarkBadge } from './mark-visit.tsx'
import { OutcomePart } from './outcome-part.tsx'
import { Panel } from './panel.tsx'
import { basisLabels, Purpose } from './purpose.tsx'

type VisitPageProps = {
  visitId: string
  /** Actions on the visit, from another feature module. */
  renderActions: (visit: ProviderVisit) => ReactNode
}

/** `/doctor/visits/:id`: one booked visit at any date, for its provider. */
export function VisitPage(props: VisitPageProps) {
  return (
    <VisitFrame>
      <LoadedVisit {...props} />
    </VisitFrame>
  )
}

function LoadedVisit({ visitId, renderActions }: VisitPageProps) {
  const visit = useProviderVisit(visitId)
  const name = visit.patient?.name ?? NAME_REMOVED
  return (
    <>
      <DashboardHeading title={name}>
        <VisitHeading visit={visit} />
      </DashboardHeading>
      <div className="mt-6 grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-6">
          <VideoPart visit={visit} name={name} />
          <OutcomePart visit={visit} name={name} />
          <VisitPart visit={visit} name={name} />
          <div className="no-print">{renderActions(visit)}</div>
        </div>
        <div className="grid items-start gap-6 lg:max-xl:grid-cols-2">
          <PatientPart visit={visit} />
          <OthersPart visit={visit} />
        </div>
      </div>
    </>
  )
}

/** The same in one column, for the drawer beside the calendar. */
export function VisitDetails({ visitId, renderActions }: VisitPageProps) {
  const visit = useProviderVisit(visitId)
  const name = visit.patient?.name ?? NAME_REMOVED
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="text-xl font-semibold wrap-anywhere">{name}</h3>
        <VisitHeading visit={visit} />
      </div>
      <PatientPart visit={visit} />
      <OutcomePart visit={visit} name={name} />
      <VisitPart visit={visit} name={name} />
      {renderActions(visit)}
      <OthersPart visit={visit} />
    </div>
  )
}

/** Every read is recorded in the audit log, so nothing is refetched automatically. */
function useProviderVisit(visitId: string): ProviderVisit {
  const [visit] = trpc.booking.providerVisit.useSuspenseQuery(
    { id: visitId },
    { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  )
  return visit
}

/** Time and status of the visit. */
function VisitHeading({ visit }: { visit: ProviderVisit }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-lg text-muted">
      {formatLongDate(visit.startsAt, visit.timeZone)}, {visitHours(visit)}
      <StateBadge visit={visit} />
      <MarkBadge marking={visit.marking} timeZone={visit.timeZone} />
    </p>
  )
}

/** Button to join a video visit; nothing for in-person visits or after the end. */
function VideoPart({ visit, name }: { visit: ProviderVisit; name: string }) {
  return (
    <JoinVideo
      visit={visit}
      who={name}
      whenMissing="Patients can’t join yet. Add the link to your video room under Fees and visits in your profile."
    />
  )
}

const movedByLabels = {
  patient: 'the patient',
  provider: 'you',
  staff: 'Apposite',
  system: 'Apposite',
} as const

const methods = { stripe: 'by card', paypal: 'with PayPal' } as const

function VisitPart({ visit, name }: { visit: ProviderVisit; name: string }) {
  const { place, followUpBasis, refunded } = visit
  return (
    <Panel title="Visit">
      <FactList>
        <Fact name="When">
          <VisitTime visit={visit} />
        </Fact>
        <Fact name="Where">
          {visit.mode === 'video' ? (
            <span className="block">Video visit</span>
          ) : (
            <>
              <span className="block">{place.name}</span>
              {place.address} <span className="whitespace-nowrap">{place.postcode}</span>
            </>
          )}
        </Fact>
        {visit.patientState !== null && <Fact name="Patient will be in">{visit.patientState}</Fact>}
        <Fact name="Kind">
          {visitTypeText(visit)}
          {followUpBasis !== null && (
            <span className="block text-sm text-muted">{basisLabels[followUpBasis]}</span>
          )}
        </Fact>
        <Fact name="Paid">
          <span className="tabular">{formatExactMoney(visit.paid)}</span>{' '}
          {methods[visit.paymentMethod]}
          {refunded !== null && (
            <span className="tabular block text-sm text-muted">
              {formatExactMoney(refunded)} refunded
            </span>
          )}
        </Fact>
        <VisitMoves visit={visit} by={movedByLabels} />
        {visit.proposed !== null && (
          <Fact name="Times you proposed">
            <ul>
              {visit.proposed.times.map(({ startsAt, timeZone }) => (
                <li key={startsAt} className="tabular">
                  {visitMoment(startsAt, timeZone)}
                </li>
              ))}
            </ul>
            <span className="block text-sm text-muted">
              Not answered yet. They aren’t held, and times booked by others aren’t listed.
            </span>
          </Fact>
        )}
        {visit.kept.length > 0 && (
          <Fact name="Answers">
            <ul>
              {visit.kept.map((at) => (
                <li key={at} className="tabular">
                  {visitMoment(at, visit.timeZone)}: the patient kept the time
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Booked">{formatLongDate(visit.bookedAt, visit.timeZone)}</Fact>
        <Fact name="Purpose">
          {visit.hasPurpose ? (
            <RecordedPurpose id={visit.id} patientName={name} />
          ) : (
            NOTHING_WRITTEN
          )}
        </Fact>
        <Fact name="Reference">
          <span className="tabular wrap-anywhere select-all">{visit.reference}</span>
        </Fact>
      </FactList>
    </Panel>
  )
}

function PatientPart({ visit: { patient } }: { visit: ProviderVisit }) {
  const age = patient?.age ?? null
  return (
    <PatientPanel
      patient={patient}
      gone="This patient has deleted their account. We no longer keep their name or contact details."
    >
      <Detail name="Age">{age === null ? 'Not given' : plural(age, 'year')}</Detail>
    </PatientPanel>
  )
}

function OthersPart({ visit }: { visit: ProviderVisit }) {
  const { others, otherCount } = visit
  if (visit.patient === null) return null
  const hidden = otherCount - others.length
  return (
    <Panel title="Other visits with you" aside={otherCount > 0 && String(otherCount)}>
      {others.length === 0 ? (
        <p className="text-muted">This is the only one.</p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {others.map((one) => (
            <li key={one.id} className="py-2">
              <Link
                to="/doctor/visits/$visitId"
                params={{ visitId: one.id }}
                className={`${textLinkClass} inline-flex min-h-6 items-center`}
              >
                {formatLongDate(one.startsAt, one.timeZone)}
              </Link>
              <p className="text-sm text-muted">
                {formatTime(one.startsAt, one.timeZone)} · {visitTypeText(one)}
                {one.state === 'cancelled' && ' · Cancelled'}
              </p>
            </li>
          ))}
          {hidden > 0 && <li className="py-2 text-sm text-muted">and {hidden} earlier</li>}
        </ul>
      )}
    </Panel>
  )
}

// Shared by the provider's pages of booked visits and desk bookings.

export const NAME_REMOVED = 'Name no longer kept'
export const NOTHING_WRITTEN = 'Nothing written, or no longer kept'

/** The purpose or the desk's note, with a word about reading it. */
export function RecordedPurpose(visit: ComponentProps<typeof Purpose>['visit']) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Purpose visit={visit} />
      <p className="text-sm text-muted">We keep a record of when you read it.</p>
    </div>
  )
}

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
        failed="This visit didn’t load"
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
function Detail({ name, children }: { name: string; children: ReactNode }) {
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
            <a href={phoneLink(phone)} className={textLinkClass}>
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
