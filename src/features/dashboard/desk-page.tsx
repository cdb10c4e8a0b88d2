import type { ReactNode } from 'react'
import { formatLongDate } from '#app/lib/format/dates.ts'
import { visitHours, visitMoment } from '#app/lib/visit-text.ts'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import { Fact, FactList, VisitTime } from '#app/parts/visits/visit-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { Badge } from '#app/ui/notice.tsx'
import type { DeskVisitId } from '#contract/base/ids.ts'
import { type DeskVisit, deskKindLabels } from '#contract/booking-desk.ts'
import type { Marking } from '#contract/outcomes.ts'
import { MarkBadge, MarkButtons, QUICK_MARKS, useInvalidateMarks } from './mark-visit.tsx'
import { Panel } from './panel.tsx'
import {
  NAME_REMOVED,
  NOTHING_WRITTEN,
  PatientPanel,
  RecordedPurpose,
  StateBadge,
  VisitFrame,
} from './visit-page.tsx'

type DeskProps = {
  visitId: DeskVisitId
  /** Actions on the visit, from another feature module. */
  renderActions: (visit: DeskVisit) => ReactNode
}

/** Every read is recorded in the audit log, so nothing is refetched automatically. */
function useDeskVisit(id: DeskVisitId): DeskVisit {
  const [visit] = trpc.booking.desk.useSuspenseQuery(
    { id },
    { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false },
  )
  return visit
}

/** How the visit was booked, its time and its status. */
function VisitHeading({ visit }: { visit: DeskVisit }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-lg text-muted">
      {formatLongDate(visit.startsAt, visit.timeZone)}, {visitHours(visit)}
      <Badge>{deskKindLabels[visit.kind]}</Badge>
      <StateBadge visit={visit} />
      <MarkBadge marking={visit.marking} timeZone={visit.timeZone} />
    </p>
  )
}

/** A visit put in at the desk in one column, for the drawer beside the calendar. */
export function DeskDetails({ visitId, renderActions }: DeskProps) {
  const visit = useDeskVisit(visitId)
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="text-xl font-semibold wrap-anywhere">
          {visit.patient?.name ?? NAME_REMOVED}
        </h3>
        <VisitHeading visit={visit} />
      </div>
      <PatientPart visit={visit} />
      <MarkPart visit={visit} />
      <VisitPart visit={visit} />
      {renderActions(visit)}
    </div>
  )
}

/** The same as a page of its own, at `/doctor/visits/:id`. */
export function DeskPage(props: DeskProps) {
  return (
    <VisitFrame>
      <LoadedDeskVisit {...props} />
    </VisitFrame>
  )
}

function LoadedDeskVisit({ visitId, renderActions }: DeskProps) {
  const visit = useDeskVisit(visitId)
  return (
    <>
      <DashboardHeading title={visit.patient?.name ?? NAME_REMOVED}>
        <VisitHeading visit={visit} />
      </DashboardHeading>
      <div className="mt-6 grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-6">
          <MarkPart visit={visit} />
          <VisitPart visit={visit} />
          <div className="no-print">{renderActions(visit)}</div>
        </div>
        <PatientPart visit={visit} />
      </div>
    </>
  )
}

function PatientPart({ visit: { patient } }: { visit: DeskVisit }) {
  return (
    <PatientPanel
      patient={patient}
      gone="We no longer keep their name or contact details."
      withoutEmail="Not given. Nobody is emailed about this visit."
    />
  )
}

function lead({ state, marking }: DeskVisit): string {
  if (state === 'cancelled') return 'This visit was cancelled.'
  if (marking.outcome === 'completed') return 'The visit took place.'
  if (marking.outcome === 'no_show') return 'The patient didn’t come. Nobody was told.'
  return marking.can.length === 0
    ? 'You can mark it from an hour before it starts.'
    : 'If you don’t mark it, it counts as completed 48 hours after it ends.'
}

function MarkPart({ visit }: { visit: DeskVisit }) {
  const utils = trpc.useUtils()
  const invalidateMarks = useInvalidateMarks()
  const marked = (marking: Marking) => {
    // Updates the cache, because a refetch would be recorded in the audit log.
    utils.booking.desk.setData({ id: visit.id }, { ...visit, marking })
    void invalidateMarks()
  }
  return (
    <Panel title="Outcome">
      <div className="flex flex-col gap-4">
        <p>{lead(visit)}</p>
        <MarkButtons
          visitId={visit.id}
          who={visit.patient?.name ?? NAME_REMOVED}
          marking={visit.marking}
          among={QUICK_MARKS}
          onMarked={marked}
        />
      </div>
    </Panel>
  )
}

function VisitPart({ visit }: { visit: DeskVisit }) {
  const { place, movedFrom, movedFromZone } = visit
  return (
    <Panel title="Visit">
      <FactList>
        <Fact name="When">
          <VisitTime visit={visit} />
          {movedFrom !== null && (
            <span className="tabular block text-sm text-muted">
              Moved from {visitMoment(movedFrom, movedFromZone)}
            </span>
          )}
        </Fact>
        <Fact name="Where">
          <span className="block">{place.name}</span>
          {place.address} <span className="whitespace-nowrap">{place.postcode}</span>
        </Fact>
        <Fact name="Kind">{deskKindLabels[visit.kind]}</Fact>
        <Fact name="Paid">Nothing through Apposite</Fact>
        <Fact name="Added">{formatLongDate(visit.bookedAt, visit.timeZone)}</Fact>
        <Fact name="Note">
          {visit.hasNote ? (
            <RecordedPurpose id={visit.id} patientName={visit.patient?.name ?? NAME_REMOVED} />
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
