import { useEffect, useState } from 'react'
import { holidayCalendars, regionOf, sayDate } from '#app/features/availability/hours/words.ts'
import { HoursPage, Panel } from '#app/features/availability/own/page-states.tsx'
import { PreviewCalendar } from '#app/features/availability/own/preview-calendar.tsx'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import type { Availability } from '#contract/availability.ts'
import { AbsencesPart } from './absences-part.tsx'
import { BlocksPart } from './blocks-part.tsx'
import { DatesPart } from './dates-part.tsx'
import { ExplainPart } from './explain-part.tsx'
import { HoursPart } from './hours-part.tsx'

const OPENER = 'why-opener'

/** The coming weeks, and on request why a given time is not offered. */
function CalendarPart({ mine }: { mine: Availability }) {
  const [day, setDay] = useState(mine.today)
  /** Number of times the explanation was requested since it was last closed. */
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (asked > 0) document.getElementById('why-title')?.focus()
  }, [asked])
  const close = () => {
    setAsked(0)
    document.getElementById(OPENER)?.focus()
  }
  return (
    <>
      <Panel
        id="preview"
        title="The next four weeks"
        lead="As patients can book them now. Choose a day to see the whole day."
        actions={
          <Button
            id={OPENER}
            variant="secondary"
            aria-expanded={asked > 0}
            aria-controls={asked > 0 ? 'why' : undefined}
            onClick={() => (asked > 0 ? close() : setAsked(1))}
          >
            Explain a time
          </Button>
        }
      >
        <PreviewCalendar
          mine={mine}
          onChoose={(date) => {
            setDay(date)
            setAsked(asked + 1)
          }}
        />
      </Panel>
      {asked > 0 && <ExplainPart mine={mine} date={day} onDate={setDay} onClose={close} />}
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
                {sayDate(date, regionOf(mine))}
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
  return <HoursPage title="All Availabilities">{(mine) => <Parts mine={mine} />}</HoursPage>
}
