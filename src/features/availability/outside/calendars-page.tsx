import { ExportPart } from '#app/features/availability/import/export-part.tsx'
import { ImportPart } from '#app/features/availability/import/import-part.tsx'
import { HoursPage } from '#app/features/availability/own/page-states.tsx'
import { TextLink } from '#app/ui/button.tsx'
import { OutsidePart } from './outside-part.tsx'

/** `/doctor/availability/calendars`: external calendars, and importing and exporting appointments. */
export function CalendarsPage() {
  return (
    <HoursPage title="Calendars and Files">
      {(mine) => (
        <div className="mt-6 flex min-w-0 flex-col gap-6">
          <p>
            <TextLink to="/doctor/availability/all">Back to All Availabilities</TextLink>
          </p>
          <OutsidePart mine={mine} />
          <ImportPart mine={mine} />
          <ExportPart mine={mine} />
        </div>
      )}
    </HoursPage>
  )
}
