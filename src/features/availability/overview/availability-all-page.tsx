import { useEffect, useState } from 'react'
import {
  blockZone,
  firstWeekdayOf,
  formatMinutes,
  formatNotice,
  formatRange,
  formatWeekdayDate,
  holidayCalendars,
  hour12Of,
  regionOf,
} from '#app/features/availability/hours/hours-format.ts'
import { DatesForm } from '#app/features/availability/own/dates-form.tsx'
import { HoursPage, Panel } from '#app/features/availability/own/own-hours.tsx'
import { PreviewCalendar } from '#app/features/availability/own/preview-calendar.tsx'
import { weekdayName, weekdaysFrom } from '#app/lib/dates/calendar-days.ts'
import { plural } from '#app/lib/format/words.ts'
import { LeaveGuard } from '#app/parts/leave-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import type { Availability } from '#contract/availability.ts'
import { AbsencesPart } from './absences-part.tsx'
import { BlockForm } from './block-form.tsx'
import { EntryList, RemoveDialog } from './entry-list.tsx'
import { ExplainPart } from './explain-part.tsx'

const EXPLAIN_BUTTON_ID = 'why-opener'

/** The coming weeks, and on request why a given time is not offered. */
function CalendarPart({ mine }: { mine: Availability }) {
  const [day, setDay] = useState(mine.today)
  /** Number of times the explanation was requested since it was last closed. */
  const [requests, setRequests] = useState(0)
  useEffect(() => {
    if (requests > 0) document.getElementById('why-title')?.focus()
  }, [requests])
  const close = () => {
    setRequests(0)
    document.getElementById(EXPLAIN_BUTTON_ID)?.focus()
  }
  return (
    <>
      <Panel
        id="preview"
        title="The next four weeks"
        lead="As patients can book them now. Choose a day to see the whole day."
        actions={
          <Button
            id={EXPLAIN_BUTTON_ID}
            variant="secondary"
            aria-expanded={requests > 0}
            aria-controls={requests > 0 ? 'why' : undefined}
            onClick={() => (requests > 0 ? close() : setRequests(1))}
          >
            Explain a time
          </Button>
        }
      >
        <PreviewCalendar
          mine={mine}
          onChoose={(date) => {
            setDay(date)
            setRequests(requests + 1)
          }}
        />
      </Panel>
      {requests > 0 && <ExplainPart mine={mine} date={day} onDate={setDay} onClose={close} />}
    </>
  )
}

/** Link to external calendars and importing appointments. */
function CalendarsPart() {
  return (
    <Panel
      id="calendars"
      title="Calendars and files"
      lead="Offer no time that you have filled in Google, Outlook or Apple Calendar, and import appointments."
    >
      <LinkButton variant="secondary" to="/doctor/availability/calendars">
        Calendars and files
      </LinkButton>
    </Panel>
  )
}

/** The public holidays of the coming year at the main place, and whether they are kept. */
function HolidaysPart({ mine }: { mine: Availability }) {
  const { closedOnHolidays } = mine.settings
  const calendar = mine.places[0]?.holidays
  return (
    <Panel
      id="holidays"
      title="Public holidays"
      lead={
        <>
          {closedOnHolidays
            ? 'Nothing can be booked on these days, except on extra dates.'
            : 'You see patients on these days as on any other.'}{' '}
          <TextLink to="/doctor/availability/new">Change this</TextLink>
        </>
      }
    >
      {calendar !== undefined && (
        <ul
          aria-label={`Public holidays of ${holidayCalendars[calendar]}`}
          className="grid gap-x-10 gap-y-1.5 lg:grid-cols-2"
        >
          {mine.holidays.map(({ date, name }) => (
            <li key={date} className="flex items-baseline justify-between gap-x-4">
              <span>{name}</span>
              <time dateTime={date} className="tabular shrink-0 text-muted">
                {formatWeekdayDate(date, regionOf(mine))}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Parts({ mine }: { mine: Availability }) {
  const hours = <HoursPart mine={mine} />
  const hasHours = mine.hours.length > 0
  return (
    <div className="mt-6 flex min-w-0 flex-col gap-6">
      {/* Without hours the other parts are empty, so setting hours comes first. */}
      {!hasHours && hours}
      <CalendarPart mine={mine} />
      <AbsencesPart mine={mine} />
      <BlocksPart mine={mine} />
      <CalendarsPart />
      {hasHours && hours}
      <DatesPart mine={mine} />
      <HolidaysPart mine={mine} />
    </div>
  )
}

/** `/doctor/availability/all`: the resulting availability and every setting behind it. */
export function AvailabilityAllPage() {
  return (
    <HoursPage title="All Availabilities">
      {(mine) => (
        <LeaveGuard>
          <Parts mine={mine} />
        </LeaveGuard>
      )}
    </HoursPage>
  )
}

type Block = Availability['blocks'][number]

/** Parts of days without bookings: adding, changing and deleting them. */
function BlocksPart({ mine }: { mine: Availability }) {
  const { client } = trpc.useUtils()
  const region = regionOf(mine)
  const times = (block: Block) => formatRange(block, hour12Of(mine))
  const zone = blockZone(mine)
  const days = ({ date, weekly, until }: Block) => {
    if (!weekly) return formatWeekdayDate(date, region)
    const from = `Every week from ${formatWeekdayDate(date, region)}`
    return until === null ? from : `${from} to ${formatWeekdayDate(until, region)}`
  }
  return (
    <Panel
      id="blocks"
      title="Blocked times"
      lead={`Part of a day that nobody can book: a lunch, a meeting, an afternoon at school.${
        zone === null ? '' : ` Times are in ${zone}.`
      }`}
    >
      <EntryList
        entries={mine.blocks}
        nameOf={(block) => `the block on ${days(block)}, ${times(block)}`}
        empty="No time is blocked."
        addLabel="Block time"
        render={(block) => (
          <>
            <p className="tabular font-semibold">{times(block)}</p>
            <p className="text-muted wrap-anywhere">
              {[days(block), block.note].filter(Boolean).join(' · ')}
            </p>
          </>
        )}
        renderForm={(block, close) => <BlockForm mine={mine} block={block} onClose={close} />}
        renderRemove={(block, close) => (
          <RemoveDialog
            places={mine.places}
            title="Delete this block?"
            action="Delete block"
            done="The block is deleted."
            act={(confirmed) =>
              client.availability.removeBlock.mutate({
                id: block.id,
                version: mine.version,
                confirmed,
              })
            }
            onClose={close}
          >
            <p>
              {days(block)}, {times(block)}: this time can be booked again.
            </p>
          </RemoveDialog>
        )}
      />
    </Panel>
  )
}

/** Extra dates: hours on single days. */
function DatesPart({ mine }: { mine: Availability }) {
  const { client } = trpc.useUtils()
  const region = regionOf(mine)
  const hour12 = hour12Of(mine)
  return (
    <Panel
      id="extra-dates"
      title="Extra dates"
      lead="Hours on single days besides the weekly ones."
      actions={
        <LinkButton variant="secondary" to="/doctor/availability/new" search={{ view: 'dates' }}>
          Add extra dates
        </LinkButton>
      }
    >
      <EntryList
        entries={mine.extraDates}
        nameOf={({ date }) => `extra date, ${formatWeekdayDate(date, region)}`}
        empty="No extra dates ahead."
        render={(extra) => (
          <>
            <p className="tabular font-semibold">{formatWeekdayDate(extra.date, region)}</p>
            <p className="tabular text-muted wrap-anywhere">
              {[
                formatRange(extra, hour12),
                mine.places.length > 1 && mine.places.find(({ id }) => id === extra.placeId)?.name,
                extra.note,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </>
        )}
        renderForm={(extra, close) =>
          extra && <DatesForm mine={mine} date={extra} onClose={close} />
        }
        renderRemove={(extra, close) => (
          <RemoveDialog
            places={mine.places}
            title="Delete this extra date?"
            action="Delete extra date"
            done="The extra date is deleted."
            act={(confirmed) =>
              client.availability.removeDate.mutate({
                id: extra.id,
                version: mine.version,
                confirmed,
              })
            }
            onClose={close}
          >
            <p>
              {formatWeekdayDate(extra.date, region)}, {formatRange(extra, hour12)}: its free times
              can no longer be booked.
            </p>
          </RemoveDialog>
        )}
      />
    </Panel>
  )
}

type WeekProps = { mine: Availability; placeId: string; week: number }

/** One week at one place: the days in the order of the region, closed ones dimmed. */
function Week({ mine, placeId, week }: WeekProps) {
  const hour12 = hour12Of(mine)
  const hoursOn = (weekday: number) =>
    mine.hours.filter(
      (one) => one.placeId === placeId && one.week === week && one.weekday === weekday,
    )
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-y-1">
      {weekdaysFrom(firstWeekdayOf(mine)).map((weekday) => {
        const hours = hoursOn(weekday)
        return (
          <div key={weekday} className="contents">
            <dt className="text-muted">{weekdayName(weekday)}</dt>
            <dd className="tabular">
              {hours.length === 0 ? (
                <span className="text-muted">Closed</span>
              ) : (
                hours.map((range) => (
                  <span key={range.from} className="mr-3 inline-block whitespace-nowrap">
                    {formatRange(range, hour12)}
                  </span>
                ))
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function rules(mine: Availability): string {
  const { bufferMinutes, closedOnHolidays, horizonDays, noticeMinutes, rotation } = mine.settings
  return [
    `Visits of ${formatMinutes(mine.consultationMinutes)}`,
    bufferMinutes === 0 ? 'no time between' : `${formatMinutes(bufferMinutes)} between`,
    noticeMinutes === 0 ? 'no notice' : formatNotice(noticeMinutes),
    `${plural(horizonDays, 'day')} ahead`,
    closedOnHolidays ? 'closed on public holidays' : 'open on public holidays',
    rotation.weeks > 1 &&
      `repeats every ${rotation.weeks} weeks from ${formatWeekdayDate(rotation.from, regionOf(mine))}`,
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

/** The saved weekly hours by place and week, with a link to the editor. */
function HoursPart({ mine }: { mine: Availability }) {
  const { places, settings, hours } = mine
  if (hours.length === 0) {
    return (
      <EmptyState
        title="You have no weekly hours yet"
        actions={
          <LinkButton to="/doctor/availability/new">
            {mine.version === 0 ? 'Set your hours in two minutes' : 'Set your weekly hours'}
          </LinkButton>
        }
      >
        Patients can book as soon as you set your hours.
      </EmptyState>
    )
  }
  const weeks = Array.from({ length: settings.rotation.weeks }, (_, at) => at + 1)
  return (
    <Panel
      id="weekly-hours"
      title="Weekly hours"
      lead={rules(mine)}
      actions={
        <LinkButton variant="secondary" to="/doctor/availability/new">
          Edit weekly hours
        </LinkButton>
      }
    >
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
        {places.flatMap((place) =>
          weeks.map((week) => {
            const name = [
              places.length > 1 && place.name,
              weeks.length > 1 && `Week ${week}`,
            ].filter(Boolean)
            return (
              <div key={`${place.id} ${week}`}>
                {name.length > 0 && <h3 className="mb-2 font-semibold">{name.join(', ')}</h3>}
                <Week mine={mine} placeId={place.id} week={week} />
              </div>
            )
          }),
        )}
      </div>
    </Panel>
  )
}
