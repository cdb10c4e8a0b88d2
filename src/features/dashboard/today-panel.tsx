import { cx } from '#app/lib/cx.ts'
import { dayOf, formatRelativeDay, formatTime, zoneLabel } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { localTimeText, modeLabels, visitKindText } from '#app/lib/visit-text.ts'
import { LinkButton, TextLink } from '#app/ui/button.tsx'
import { Badge, EmptyState } from '#app/ui/notice.tsx'
import type { DayVisit, ProviderDay } from '#contract/booking-provider.ts'
import {
  dayCountsText,
  MarkBadge,
  MarkButtons,
  marksOfRow,
  useInvalidateMarks,
} from './mark-visit.tsx'
import { Panel } from './panel.tsx'
import { basisLabels, Purpose } from './purpose.tsx'

type NextVisitProps = { next: DayVisit; now: number; day: ProviderDay }

function NextVisit({ next, now, day: { timeZone, hasManyPlaces } }: NextVisitProps) {
  const { startsAt, patientName, placeName, mode } = next
  const day = formatRelativeDay(dayOf(startsAt, timeZone), timeZone, now)
  const local = localTimeText(next, timeZone)
  return (
    <p>
      Your next visit: <strong className="font-semibold text-ink">{day}</strong>,{' '}
      {formatTime(startsAt, timeZone)}
      {local !== null && ` (${local})`}
      {patientName !== null && `, ${patientName}`}
      {mode === 'video' ? ', by video' : hasManyPlaces && `, at ${placeName}`}.{' '}
      <TextLink to="/doctor/visits/$visitId" params={{ visitId: next.id }}>
        Open this visit
      </TextLink>
    </p>
  )
}

/** Shown when there are no visits today: nothing to do, or a link to set hours. */
function NoVisitsToday({ day, now, hasHours }: TodayProps) {
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
    <div className="flex flex-wrap gap-x-3 gap-y-1 text-muted">
      <p className="font-semibold text-ink">No visits today.</p>
      {day.next === null ? (
        <p>Nobody has booked yet. What patients book appears here.</p>
      ) : (
        <NextVisit next={day.next} now={now} day={day} />
      )}
    </div>
  )
}

type TodayProps = { day: ProviderDay; now: number; hasHours: boolean }

/** Today's visits in the time zone of the main place. */
export function Today(props: TodayProps) {
  const { day, now } = props
  const zone = zoneLabel(day.now, day.timeZone)
  return (
    <Panel
      title="Today"
      aside={day.visits.length > 0 ? `${plural(day.visits.length, 'visit')} · ${zone}` : zone}
    >
      {day.visits.length === 0 ? (
        <NoVisitsToday {...props} />
      ) : (
        <>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <p className="tabular text-muted">{dayCountsText(day.visits)}</p>
            <TextLink to="/doctor/day-sheet" className="inline-flex min-h-6 items-center">
              Print day sheet
            </TextLink>
          </div>
          <ol className="@container -mb-4 divide-y divide-line border-t border-line">
            {day.visits.map((visit) => (
              <VisitRow key={visit.id} visit={visit} now={now} day={day} />
            ))}
          </ol>
        </>
      )}
    </Panel>
  )
}

type VisitRowProps = { visit: DayVisit; now: number; day: ProviderDay }

/** One visit of today: time, patient, purpose, and whether it is in progress. */
function VisitRow({ visit, now, day: { timeZone, hasManyPlaces } }: VisitRowProps) {
  const invalidateMarks = useInvalidateMarks()
  const { startsAt, endsAt, followUpBasis, patientName } = visit
  const local = localTimeText(visit, timeZone)
  const isOver = Date.parse(endsAt) <= now
  const isNow = !isOver && Date.parse(startsAt) <= now
  return (
    // Where a row has no room for its buttons, all of them go below the name, beside the column of the times.
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-3 py-4 @sm:pl-24 @xl:items-center @xl:pl-0">
      <p
        className={cx(
          'tabular w-20 shrink-0 @sm:-ml-24 @xl:ml-0',
          isOver ? 'text-muted' : 'font-semibold',
        )}
      >
        <span className="block text-lg">{formatTime(startsAt, timeZone)}</span>
        <span className="block text-sm font-normal text-muted">
          <span className="sr-only">until </span>
          <span aria-hidden="true">to </span>
          {formatTime(endsAt, timeZone)}
        </span>
      </p>
      <div className="min-w-0 flex-1 basis-48 @sm:basis-full @xl:basis-48">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TextLink
            to="/doctor/visits/$visitId"
            params={{ visitId: visit.id }}
            className={cx(
              'inline-flex min-h-6 items-center wrap-anywhere',
              !isOver && 'font-semibold',
            )}
          >
            {patientName ?? 'Name no longer kept'}
          </TextLink>
          {isNow && <Badge tone="accent">Now</Badge>}
          {isOver && visit.marking.outcome === null && <Badge>Over</Badge>}
          <MarkBadge marking={visit.marking} timeZone={timeZone} />
        </p>
        <p className="text-sm text-muted">
          {local !== null && `${local}\u00a0· `}
          {visitKindText(visit)}
          {followUpBasis !== null && `\u00a0· ${basisLabels[followUpBasis]}`}
          {visit.mode === 'video' && `\u00a0· ${modeLabels.video}`}
          {hasManyPlaces && visit.mode === 'in_person' && `\u00a0· ${visit.placeName}`}
          {'\u00a0· '}
          <span className="tabular whitespace-nowrap select-all">{visit.reference}</span>
        </p>
      </div>
      <MarkButtons
        visitId={visit.id}
        who={patientName ?? 'this visit'}
        marking={visit.marking}
        among={marksOfRow(visit.marking)}
        onMarked={invalidateMarks}
      />
      {visit.hasPurpose && <Purpose visit={visit} className="self-center @xl:ml-auto" />}
    </li>
  )
}
