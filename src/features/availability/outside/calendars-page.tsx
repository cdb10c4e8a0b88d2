import { useMutation } from '@tanstack/react-query'
import { CalendarClock, Download } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { formatList, visitTimes } from '#app/features/availability/hours/hours-format.ts'
import { ImportPart } from '#app/features/availability/import/import-part.tsx'
import { HoursPage, Panel } from '#app/features/availability/own/own-hours.tsx'
import { useOpened } from '#app/lib/browser-hooks.ts'
import { addDays } from '#app/lib/dates/calendar-days.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { fetchFile, saveFile } from '#app/lib/files.ts'
import { dayOf, formatDay } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { LeaveGuard } from '#app/parts/leave-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { HOURS_EXPORT_PATH, VISITS_EXPORT_PATH } from '#contract/booking-provider.ts'
import {
  type Clash,
  MAX_OUTSIDE_CALENDARS,
  type OutsideCalendar,
  outsideFailureMessages,
} from '#contract/outside-calendars.ts'
import { DoubtList } from './doubt-list.tsx'
import {
  AddCalendarDialog,
  EditCalendarDialog,
  RemoveCalendarDialog,
  useInvalidateBusyTimes,
} from './outside-dialogs.tsx'

/** `/doctor/availability/calendars`: external calendars, and importing and exporting appointments. */
export function CalendarsPage() {
  return (
    <HoursPage title="Calendars and Files">
      {(mine) => (
        <div className="mt-6 flex min-w-0 flex-col gap-6">
          <p>
            <TextLink to="/doctor/availability/all">Back to All Availabilities</TextLink>
          </p>
          <LeaveGuard>
            <OutsidePart mine={mine} />
            <ImportPart mine={mine} />
          </LeaveGuard>
          <ExportPart mine={mine} />
        </div>
      )}
    </HoursPage>
  )
}

/** External calendars: their busy times are not offered for booking. */
function OutsidePart({ mine }: { mine: Availability }) {
  return (
    <Panel
      id="calendars"
      title="Other calendars"
      lead={
        <>
          Times when you’re busy in Google, Outlook, Apple or another calendar aren’t offered here.
          We read each calendar every 15 minutes and keep only when you’re busy, never what with.
          Google and Outlook often publish changes hours late, so block an urgent time here too.
        </>
      }
    >
      <DataBoundary
        failed="Your calendars didn’t load"
        pending={<PendingShapes shapes={['h-24']} />}
      >
        <Calendars mine={mine} />
      </DataBoundary>
    </Panel>
  )
}

/** The open dialog. */
type Open = { kind: 'add' } | { kind: 'edit' | 'remove'; calendar: OutsideCalendar }

function Calendars({ mine }: { mine: Availability }) {
  const [{ calendars, clashes }] = trpc.outsideCalendars.list.useSuspenseQuery()
  const [open, setOpen, close] = useOpened<Open>()
  const isFull = calendars.length >= MAX_OUTSIDE_CALENDARS
  const timeZone = mine.places[0]?.timeZone ?? 'UTC'
  return (
    <div className="flex flex-col gap-5">
      {calendars.length === 0 && <p className="text-muted">You have added no calendars.</p>}
      {calendars.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {calendars.map((calendar) => (
            <CalendarRow
              key={calendar.id}
              calendar={calendar}
              timeZone={timeZone}
              onEdit={() => setOpen({ kind: 'edit', calendar })}
              onRemove={() => setOpen({ kind: 'remove', calendar })}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="secondary" disabled={isFull} onClick={() => setOpen({ kind: 'add' })}>
          Add a calendar
        </Button>
        {isFull && (
          <p className="text-muted">
            You can have {MAX_OUTSIDE_CALENDARS} calendars. Remove one to add another.
          </p>
        )}
      </div>
      {clashes.length > 0 && <ClashList clashes={clashes} places={mine.places} />}
      {open?.kind === 'add' && <AddCalendarDialog onClose={close} />}
      {open?.kind === 'edit' && <EditCalendarDialog calendar={open.calendar} onClose={close} />}
      {open?.kind === 'remove' && <RemoveCalendarDialog calendar={open.calendar} onClose={close} />}
    </div>
  )
}

type CalendarStatusProps = { calendar: OutsideCalendar; timeZone: string }

/** When a calendar was last read, or since when reading fails. */
function CalendarStatus({ calendar, timeZone }: CalendarStatusProps) {
  const { readAt, failingSince, failure, pausedAt, busy } = calendar
  const moment = (at: string) => <time dateTime={at}>{visitMoment(at, timeZone)}</time>
  const ahead = busy === 0 ? 'nothing busy ahead' : `${plural(busy, 'busy time')} ahead`
  return (
    <>
      <p className="tabular mt-0.5 text-sm text-muted">
        {readAt === null ? 'Not read yet' : <>Last read {moment(readAt)}</>}
        {readAt !== null && ` · ${ahead}`}
      </p>
      <DoubtList calendar={calendar} timeZone={timeZone} />
      {failingSince !== null && failure !== null && (
        <p className="tabular mt-1 text-sm font-medium text-danger">
          Failing since {moment(failingSince)}
          {[
            `. ${outsideFailureMessages[failure]}`,
            readAt !== null && 'Times we already know about stay blocked.',
            pausedAt !== null && 'We’ve stopped trying: resume once it can be read again.',
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </>
  )
}

type RowProps = CalendarStatusProps & { onEdit: () => void; onRemove: () => void }

function CalendarRow({ calendar, timeZone, onEdit, onRemove }: RowProps) {
  const { id, name, host, skipsAllDay, pausedAt } = calendar
  const action = pausedAt === null ? 'Read now' : 'Resume'
  const row = useRef<HTMLLIElement>(null)
  const invalidate = useInvalidateBusyTimes()
  const read = trpc.outsideCalendars.readNow.useMutation({
    onSuccess: async ({ failure }) => {
      await invalidate()
      if (failure === null) void showToast('The calendar is up to date.')
    },
  })
  const change = trpc.outsideCalendars.change.useMutation({ onSuccess: invalidate })
  const error = read.error ?? change.error
  return (
    <li ref={row} className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4">
      <CalendarClock aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 max-lg:basis-[calc(100%-2.5rem)]">
        <p className="font-semibold wrap-anywhere">
          {name} <span className="font-normal text-muted">· {host}</span>
        </p>
        <CalendarStatus calendar={calendar} timeZone={timeZone} />
        <Checkbox
          label="Ignore all-day events"
          aria-label={`Ignore all-day events of ${name}`}
          checked={change.isPending ? change.variables.skipsAllDay : skipsAllDay}
          // Not disabled while it is saved, which would lose the focus.
          onChange={({ target }) => {
            if (!change.isPending) change.mutate({ id, name, skipsAllDay: target.checked })
          }}
        />
        {error && (
          <Notice kind="danger" role="alert" title="That didn’t work" className="mt-2">
            <p>{describeFailure(error).sentence}</p>
          </Notice>
        )}
      </div>
      <div className="flex flex-wrap gap-2 max-lg:ml-10">
        <Button
          variant="secondary"
          aria-label={`${action}: ${name}`}
          isBusy={read.isPending}
          onClick={() => read.mutate({ id })}
        >
          {action}
        </Button>
        <Button variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant="quiet"
          className="text-danger"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </div>
    </li>
  )
}

type ClashListProps = { clashes: readonly Clash[]; places: Availability['places'] }

/** Booked visits that overlap busy times elsewhere: they stay booked until someone resolves them. */
function ClashList({ clashes, places }: ClashListProps) {
  const title = `${plural(clashes.length, 'booked visit')} at a time when you’re busy`
  return (
    <Notice kind="warn" title={title}>
      <p>They stay booked. Move or cancel them, or change your other calendar.</p>
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {clashes.map(({ id, patient, placeId, with: names, ...times }) => (
          <li key={id} className="py-2.5">
            <p className="tabular">
              <TextLink to="/doctor/visits/$visitId" params={{ visitId: id }}>
                {formatDay(dayOf(times.startsAt, times.timeZone), times.timeZone, 'long')},{' '}
                {visitTimes(times, { places })}
              </TextLink>
            </p>
            <p className="wrap-anywhere text-muted">
              {[
                patient,
                places.length > 1 && places.find((one) => one.id === placeId)?.name,
                `clashes with ${formatList(names)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

type ExportRequest = { path: string; body: object; type: string }

/** Downloads of the provider's visits and hours. */
function ExportPart({ mine }: { mine: Availability }) {
  const id = useId()
  const [from, setFrom] = useState(mine.today)
  const [to, setTo] = useState(addDays(mine.today, 27))
  const save = useMutation({
    mutationFn: async ({ path, body, type }: ExportRequest) => {
      const { name, content } = await fetchFile(path, body)
      saveFile(name, content, type)
    },
    onSuccess: () => void showToast('The file is saved.'),
  })
  const pending = save.isPending ? save.variables : null
  const visits = (format: 'csv' | 'ics'): ExportRequest => ({
    path: VISITS_EXPORT_PATH,
    body: { from, to, format },
    type: format === 'csv' ? 'text/csv;charset=utf-8' : 'text/calendar;charset=utf-8',
  })
  const hours: ExportRequest = { path: HOURS_EXPORT_PATH, body: {}, type: 'text/csv;charset=utf-8' }
  const isSaving = (request: ExportRequest) =>
    JSON.stringify(pending?.body) === JSON.stringify(request.body)
  const isDated = from !== '' && to !== '' && from <= to
  const button = (wish: ExportRequest, label: string) => (
    <Button
      variant="secondary"
      isBusy={isSaving(wish)}
      disabled={wish !== hours && !isDated}
      onClick={() => save.mutate(wish)}
    >
      <Download aria-hidden="true" className="size-5" />
      {label}
    </Button>
  )
  return (
    <Panel
      id="export"
      title="Export"
      lead="Your visits with the names of patients, never what they are for, and your hours."
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:max-w-md sm:grid-cols-2">
          <TextInput
            id={`${id}-from`}
            type="date"
            label="First day"
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
          <TextInput
            id={`${id}-to`}
            type="date"
            label="Last day"
            value={to}
            min={from}
            error={
              from !== '' && to !== '' && to < from ? 'This is before the first day.' : undefined
            }
            onChange={({ target }) => setTo(target.value)}
          />
        </div>
        <div className="flex flex-wrap gap-3">
          {button(visits('csv'), 'Visits as CSV')}
          {button(visits('ics'), 'Visits as a calendar')}
          {button(hours, 'Hours as CSV')}
        </div>
        {save.error && (
          <Notice kind="danger" role="alert" title="Not saved">
            <p>{describeFailure(save.error).sentence}</p>
          </Notice>
        )}
      </div>
    </Panel>
  )
}
