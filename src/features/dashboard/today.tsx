import { dayOf, formatRelativeDay, formatTime, zoneLabel } from '#app/lib/format-time.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import type { DayVisit, ProviderDay } from '#contract/booking.ts'
import { Panel } from './panel.tsx'
import { VisitRow } from './visit-row.tsx'

function countWords(visits: readonly DayVisit[]): string {
  return visits.length === 1 ? '1 visit' : `${visits.length} visits`
}

function NextVisit({ next, now }: { next: DayVisit; now: number }) {
  const { startsAt, timeZone, patientName } = next
  const day = formatRelativeDay(dayOf(startsAt, timeZone), timeZone, now)
  return (
    <p>
      Your next visit: <strong className="font-semibold text-ink">{day}</strong>,{' '}
      {formatTime(startsAt, timeZone)}
      {patientName !== null && `, ${patientName}`}.
    </p>
  )
}

/** What to do when nobody comes today: nothing, or set hours. */
function Quiet({ day, now, hasHours }: TodayProps) {
  if (!hasHours && day.next === null) {
    return (
      <EmptyState
        level={3}
        title="No hours yet"
        actions={<LinkButton to="/doctor/availability/new">Set your hours</LinkButton>}
      >
        <p>Set your hours in two minutes. Patients then see your free times and book them.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState level={3} title="No visits today">
      {day.next === null ? (
        <p>Nobody has booked yet. What patients book appears here.</p>
      ) : (
        <NextVisit next={day.next} now={now} />
      )}
    </EmptyState>
  )
}

type TodayProps = { day: ProviderDay; now: number; hasHours: boolean }

/** The visits of today by the clock of the clinic. */
export function Today(props: TodayProps) {
  const { day, now } = props
  const hasManyPlaces = new Set(day.visits.map(({ placeName }) => placeName)).size > 1
  const zone = zoneLabel(day.now, day.timeZone)
  return (
    <Panel
      title="Today"
      aside={day.visits.length > 0 ? `${countWords(day.visits)} · ${zone}` : zone}
    >
      {day.visits.length === 0 ? (
        <Quiet {...props} />
      ) : (
        <ol className="-my-4 divide-y divide-line">
          {day.visits.map((visit) => (
            <VisitRow key={visit.id} visit={visit} now={now} hasManyPlaces={hasManyPlaces} />
          ))}
        </ol>
      )}
    </Panel>
  )
}
