import { useState } from 'react'
import { HoursPage, Panel } from '#app/features/availability/own/page-states.tsx'
import { PreviewCalendar } from '#app/features/availability/own/preview-calendar.tsx'
import type { Availability } from '#contract/availability.ts'
import { AbsencesPart } from './absences-part.tsx'
import { BlocksPart } from './blocks-part.tsx'
import { CalendarsPart } from './calendars-part.tsx'
import { DatesPart } from './dates-part.tsx'
import { ExplainPart } from './explain-part.tsx'
import { HolidaysPart } from './holidays-part.tsx'
import { HoursPart } from './hours-part.tsx'

function Parts({ mine }: { mine: Availability }) {
  const [day, setDay] = useState(mine.today)
  return (
    <div className="mt-6 flex min-w-0 flex-col gap-6">
      <AbsencesPart mine={mine} />
      <BlocksPart mine={mine} />
      <CalendarsPart />
      <HoursPart mine={mine} />
      <DatesPart mine={mine} />
      <Panel
        id="preview"
        title="The next four weeks"
        lead="As patients can book them now. Choose a day to see the whole day."
      >
        <PreviewCalendar
          mine={mine}
          onChoose={(date) => {
            setDay(date)
            document.getElementById('why-title')?.focus()
          }}
        />
      </Panel>
      <ExplainPart mine={mine} date={day} onDate={setDay} />
      <HolidaysPart mine={mine} />
    </div>
  )
}

/** `/doctor/availability/all`: everything that is set, what comes of it, and why. */
export function AvailabilityAllPage() {
  return <HoursPage title="All Availabilities">{(mine) => <Parts mine={mine} />}</HoursPage>
}
