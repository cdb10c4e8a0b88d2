import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { dayOf, formatRelativeDay, formatTime, plural, zoneLabel } from '#app/lib/dates/format.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { groupBy } from '#app/lib/group-by.ts'
import { localTimeText, modeLabels, visitKindText } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import { Badge, EmptyState } from '#app/ui/notice.tsx'
import { Card } from '#app/ui/page.tsx'
import { isDeskId } from '#contract/base/ids.ts'
import { dateFormat } from '#contract/base/intl.ts'
import { formatExactMoney } from '#contract/base/money.ts'
import type { DayVisit, ProviderDay } from '#contract/booking-provider.ts'
import type { Earnings } from '#contract/payments-history.ts'
import {
  dayCountsText,
  MarkBadge,
  MarkButtons,
  marksOfRow,
  useInvalidateMarks,
} from './mark-visit.tsx'

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

/** Basis of a follow-up fee: our records or the patient's statement. */
export const basisLabels = {
  history: 'Has visited you before',
  self_declared: 'Says they have seen you before',
} as const

type PurposeProps = {
  visit: Pick<DayVisit, 'id' | 'patientName'>
  /** Applied to the button. */
  className?: string
}

/** Purpose of a visit, or the desk's note: loaded only on request, as the server logs each read. */
export function Purpose({ visit, className }: PurposeProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { client } = trpc.useUtils()
  const ask = useMutation({
    mutationFn: async (visitId: DayVisit['id']) => {
      if (isDeskId(visitId)) return (await client.booking.deskNote.mutate({ id: visitId })).note
      return (await client.booking.purpose.mutate({ id: visitId })).purposeForVisit
    },
  })
  const what = isDeskId(visit.id) ? 'note' : 'purpose'
  const who = visit.patientName ?? 'this visit'
  return (
    <>
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        isBusy={ask.isPending}
        className={cx('shrink-0', className)}
        onClick={() => {
          if (!isOpen && ask.data === undefined) ask.mutate(visit.id)
          setOpen(!isOpen)
        }}
      >
        {isOpen ? 'Hide' : 'Show'} {what}
        <span className="sr-only"> of {who}</span>
      </Button>
      <div id={id} aria-live="polite" className="basis-full empty:hidden">
        {isOpen && ask.data && (
          <p className="rounded-field bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line">
            {ask.data}
          </p>
        )}
        {isOpen && ask.error && (
          <p className="font-medium text-danger">{describeFailure(ask.error).sentence}</p>
        )}
      </div>
    </>
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

/** "March 2026". */
function monthText(month: string): string {
  return dateFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(`${month}T12:00:00Z`),
  )
}

/** Earnings from this month's visits, net of refunds. */
export function MonthEarnings({ earnings }: { earnings: Earnings }) {
  const { month, earned, coming, comingVisits } = earnings
  return (
    <Panel title="Earnings this month" aside={monthText(month)}>
      <p className="tabular text-2xl font-semibold">{formatExactMoney(earned)}</p>
      <p className="text-muted">from {plural(earnings.visits, 'visit')} so far</p>
      {comingVisits > 0 && (
        <p className="tabular mt-3 border-t border-line pt-3">
          {formatExactMoney(coming)}{' '}
          <span className="text-muted"> paid for {plural(comingVisits, 'upcoming visit')}</span>
        </p>
      )}
      <p className="mt-4">
        <TextLink to="/doctor/appointment-history" className="inline-flex min-h-6 items-center">
          Booked History
        </TextLink>
      </p>
    </Panel>
  )
}

const pill =
  'tabular inline-flex min-h-9 items-center justify-center rounded-field border px-2.5 font-semibold whitespace-nowrap'

type FreeTimesProps = { day: ProviderDay; now: number; hasHours: boolean }

/** The next bookable times, as the provider sees them. */
export function FreeTimes({ day, now, hasHours }: FreeTimesProps) {
  const { free, timeZone, hasManyPlaces } = day
  const first = free[0]?.slots[0]
  return (
    // Also times of places in another zone are in this one.
    <Panel
      title="Next free times"
      aside={hasManyPlaces && first !== undefined && zoneLabel(first.startsAt, timeZone)}
    >
      {free.length === 0 ? (
        <p className="text-muted">
          {hasHours ? 'Every time you offer is booked.' : 'You offer no times yet.'}
        </p>
      ) : (
        <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {free.map(({ date, slots, more }, at) => (
            <li key={date}>
              <h3 className={cx('font-semibold', at === 0 && 'text-accent')}>
                {formatRelativeDay(date, timeZone, now)}
              </h3>
              {[...groupBy(slots, ({ place }) => place)].map(([place, there]) => (
                <div key={place ?? ''} className="mt-2">
                  {place !== undefined && <p className="mb-1 text-sm text-muted">{place}</p>}
                  <ul className="flex flex-wrap items-center gap-2">
                    {there.map(({ startsAt }) => (
                      <li
                        key={startsAt}
                        className={cx(
                          pill,
                          startsAt === first?.startsAt
                            ? 'border-accent bg-accent-tint text-accent'
                            : 'border-line text-ink',
                        )}
                      >
                        {formatTime(startsAt, timeZone)}
                      </li>
                    ))}
                    {more > 0 && there.at(-1) === slots.at(-1) && (
                      <li className="text-sm text-muted">and {more} more</li>
                    )}
                  </ul>
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-4">
        <TextLink
          to={hasHours ? '/doctor/availability/all' : '/doctor/availability/new'}
          className="inline-flex min-h-6 items-center"
        >
          {hasHours ? 'All Availabilities' : 'Set your hours'}
        </TextLink>
      </p>
    </Panel>
  )
}

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
