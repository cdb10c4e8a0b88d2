import { holidayCalendars, regionOf, sayDate } from '#app/features/availability/hours/words.ts'
import { Panel } from '#app/features/availability/own/page-states.tsx'
import { TextLink } from '#app/ui/button.tsx'
import type { Availability } from '#contract/availability.ts'

/** The public holidays of the coming year at the main place, and whether they are kept. */
export function HolidaysPart({ mine }: { mine: Availability }) {
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
