import { Panel } from '#app/features/availability/own/page-states.tsx'
import { LinkButton } from '#app/ui/button.tsx'

/** The way to calendars that are kept elsewhere, and to importing appointments. */
export function CalendarsPart() {
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
