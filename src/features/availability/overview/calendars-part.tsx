import { Panel } from '#app/features/availability/own/page-states.tsx'
import { LinkButton } from '#app/ui/button.tsx'

/** The way to calendars that are kept elsewhere. */
export function CalendarsPart() {
  return (
    <Panel
      id="calendars"
      title="Other calendars"
      lead="Keep times free here that you fill in Google, Outlook or Apple Calendar."
    >
      <LinkButton variant="secondary" to="/doctor/availability/calendars">
        Other calendars
      </LinkButton>
    </Panel>
  )
}
