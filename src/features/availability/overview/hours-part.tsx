import {
  firstWeekdayOf,
  formatMinutes,
  formatNotice,
  formatWeekdayDate,
  hour12Of,
  plural,
  regionOf,
  weekdayName,
  weekdaysFrom,
} from '#app/features/availability/hours/format.ts'
import { formatRange } from '#app/features/availability/hours/wall-times.ts'
import { Panel } from '#app/features/availability/own/page-states.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { Availability } from '#contract/availability.ts'

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
export function HoursPart({ mine }: { mine: Availability }) {
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
