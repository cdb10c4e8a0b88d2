import { HoursPage } from '#app/features/availability/own/page-states.tsx'
import { TextLink } from '#app/ui/button.tsx'
import { OutsidePart } from './outside-part.tsx'

/** `/doctor/availability/calendars`: calendars that are kept elsewhere. */
export function CalendarsPage() {
  return (
    <HoursPage title="Other Calendars">
      {(mine) => (
        <div className="mt-6 flex min-w-0 flex-col gap-6">
          <p>
            <TextLink to="/doctor/availability/all">Back to All Availabilities</TextLink>
          </p>
          <OutsidePart mine={mine} />
        </div>
      )}
    </HoursPage>
  )
}
