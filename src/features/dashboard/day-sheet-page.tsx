import { Printer } from 'lucide-react'
import { formatLongDate, formatTime, zoneLabel } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { localTimeText, modeLabels, visitKindText } from '#app/lib/visit-text.ts'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { DayVisit } from '#contract/booking-provider.ts'
import { dayCountsText } from './mark-visit.tsx'

/** `/doctor/day-sheet`: today's visits as a printable sheet, without their purposes. */
export function DaySheetPage() {
  return (
    <DataBoundary
      failed="Your day didn’t load"
      renderFrame={(state) => (
        <>
          <DashboardHeading title="Day sheet" />
          <div className="mt-6">{state}</div>
        </>
      )}
      pending={<PendingShapes shapes={['h-96']} />}
    >
      <Sheet />
    </DataBoundary>
  )
}

type CellProps = {
  visit: DayVisit
  /** That of the sheet: the main place's. */
  timeZone: string
}

function outcomeText({ visit: { marking }, timeZone }: CellProps): string {
  const { outcome } = marking
  if (outcome === 'no_show') return 'No-show'
  if (outcome === 'not_held') return 'Didn’t take place'
  const arrived = marking.arrivedAt === null ? '' : formatTime(marking.arrivedAt, timeZone)
  if (outcome === 'completed') return arrived === '' ? 'Completed' : `Completed, ${arrived}`
  return arrived
}

function Hours({ visit, timeZone }: CellProps) {
  const { startsAt, endsAt } = visit
  const local = localTimeText(visit, timeZone)
  return (
    <>
      <span className="tabular font-semibold">{formatTime(startsAt, timeZone)}</span>{' '}
      <span className="tabular block text-sm text-muted">to {formatTime(endsAt, timeZone)}</span>
      {local !== null && <span className="tabular block text-sm text-muted">{local}</span>}
    </>
  )
}

function Patient({ visit }: { visit: DayVisit }) {
  return (
    <>
      {visit.patientName ?? 'Name no longer kept'}
      <span className="block text-sm text-muted">
        {visit.mode === 'video' ? modeLabels.video : visit.placeName}
      </span>
    </>
  )
}

/** When the patient came, or a box to tick on paper. */
function Arrived(props: CellProps) {
  const marked = outcomeText(props)
  if (marked !== '') return <>{marked}</>
  return (
    <>
      <span aria-hidden="true" className="inline-block size-5 border border-field" />
      <span className="sr-only">Not yet</span>
    </>
  )
}

const columnsIn = (timeZone: string): Column<DayVisit>[] => [
  {
    key: 'time',
    head: 'Time',
    cellClass: 'whitespace-nowrap',
    renderCell: (visit) => <Hours visit={visit} timeZone={timeZone} />,
  },
  {
    key: 'patient',
    head: 'Patient',
    cellClass: 'wrap-anywhere',
    renderCell: (visit) => <Patient visit={visit} />,
  },
  { key: 'kind', head: 'Kind', renderCell: visitKindText },
  {
    key: 'reference',
    head: 'Reference',
    cellClass: 'tabular whitespace-nowrap',
    renderCell: ({ reference }) => reference,
  },
  {
    key: 'arrived',
    head: 'Arrived',
    renderCell: (visit) => <Arrived visit={visit} timeZone={timeZone} />,
  },
]

function SheetCard({ visit, timeZone }: CellProps) {
  return (
    <>
      <div className="flex justify-between gap-4">
        <p className="flex items-baseline gap-x-2">
          <Hours visit={visit} timeZone={timeZone} />
        </p>
        <p>
          <Arrived visit={visit} timeZone={timeZone} />
        </p>
      </div>
      <p className="mt-1 wrap-anywhere">
        <Patient visit={visit} />
      </p>
      <p className="text-sm text-muted">
        {visitKindText(visit)} ·{' '}
        <span className="tabular whitespace-nowrap">{visit.reference}</span>
      </p>
    </>
  )
}

function Sheet() {
  const [day] = trpc.booking.today.useSuspenseQuery()
  const { visits } = day
  return (
    <>
      <DashboardHeading title="Day sheet">
        <p className="mt-1 text-lg text-muted">
          {formatLongDate(day.now, day.timeZone)}, {zoneLabel(day.now, day.timeZone)}
        </p>
      </DashboardHeading>
      <div className="no-print mt-4 flex flex-wrap gap-3">
        <Button onClick={() => print()}>
          <Printer aria-hidden="true" className="size-5" />
          Print
        </Button>
        <LinkButton to="/dochome" variant="secondary">
          Back to today
        </LinkButton>
      </div>
      {visits.length === 0 ? (
        <div className="mt-6">
          <EmptyState title="No visits today">
            <p>What patients book for today appears here.</p>
          </EmptyState>
        </div>
      ) : (
        <>
          <p className="tabular mt-6">
            {plural(visits.length, 'visit')}. {dayCountsText(visits)}.
          </p>
          <div className="mt-3">
            <DataTable
              caption="Visits of the day"
              columns={columnsIn(day.timeZone)}
              rows={visits}
              keyOf={({ id }) => id}
              renderCard={(visit) => <SheetCard visit={visit} timeZone={day.timeZone} />}
              from="2xl"
            />
          </div>
        </>
      )}
    </>
  )
}
