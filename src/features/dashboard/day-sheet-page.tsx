import { Printer } from 'lucide-react'
import { formatLongDate, formatTime, plural, zoneLabel } from '#app/lib/format.ts'
import { modeLabels, visitKindText } from '#app/lib/visit-text.ts'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { DayVisit } from '#contract/booking-provider.ts'
import { dayCountsText } from './mark-visit.tsx'

/** `/doctor/day-sheet`: today's visits as a printable sheet, without their purposes. */
export function DaySheetPage() {
  return (
    <DataBoundary
      failed="Your day did not load"
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

function outcomeText({ marking: { outcome }, timeZone, marking }: DayVisit): string {
  if (outcome === 'no_show') return 'No-show'
  if (outcome === 'not_held') return 'Didn’t take place'
  const arrived = marking.arrivedAt === null ? '' : formatTime(marking.arrivedAt, timeZone)
  if (outcome === 'completed') return arrived === '' ? 'Completed' : `Completed, ${arrived}`
  return arrived
}

const cell = 'border-b border-line px-2 py-2.5 text-left align-top'
/** Columns that a phone shows below the patient's name instead. */
const wideCell = `${cell} max-sm:hidden`

const columns = [
  { name: 'Time', className: cell },
  { name: 'Patient', className: cell },
  { name: 'Kind', className: wideCell },
  { name: 'Reference', className: wideCell },
  { name: 'Arrived', className: cell },
]

function SheetRow({ visit }: { visit: DayVisit }) {
  const { startsAt, endsAt, timeZone } = visit
  const marked = outcomeText(visit)
  return (
    <tr>
      <th scope="row" className={`${cell} tabular font-semibold whitespace-nowrap`}>
        {formatTime(startsAt, timeZone)}
        <span className="block text-sm font-normal text-muted">
          to {formatTime(endsAt, timeZone)}
        </span>
      </th>
      <td className={`${cell} wrap-anywhere`}>
        {visit.patientName ?? 'Name no longer kept'}
        <span className="block text-sm text-muted">
          {visit.mode === 'video' ? modeLabels.video : visit.placeName}
        </span>
        <span className="block text-sm text-muted sm:hidden">
          {visitKindText(visit)} ·{' '}
          <span className="tabular whitespace-nowrap">{visit.reference}</span>
        </span>
      </td>
      <td className={wideCell}>{visitKindText(visit)}</td>
      <td className={`${wideCell} tabular whitespace-nowrap`}>{visit.reference}</td>
      <td className={cell}>
        {marked === '' ? (
          <>
            <span aria-hidden="true" className="inline-block size-5 border border-field" />
            <span className="sr-only">Not yet</span>
          </>
        ) : (
          marked
        )}
      </td>
    </tr>
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
          <section aria-label="Visits of the day" className="mt-3">
            <table className="w-full border-collapse">
              <thead>
                <tr>
                  {columns.map(({ name, className }) => (
                    <th key={name} scope="col" className={`${className} text-sm text-muted`}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {visits.map((visit) => (
                  <SheetRow key={visit.id} visit={visit} />
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </>
  )
}
