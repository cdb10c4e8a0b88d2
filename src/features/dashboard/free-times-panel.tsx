import { cx } from '#app/lib/cx.ts'
import { formatRelativeDay, formatTime, zoneLabel } from '#app/lib/format/dates.ts'
import { groupBy } from '#app/lib/group-by.ts'
import { TextLink } from '#app/ui/button.tsx'
import type { ProviderDay } from '#contract/booking-provider.ts'
import { Panel } from './panel.tsx'

const pill =
  'tabular inline-flex min-h-9 items-center justify-center rounded-field border px-2.5 font-semibold whitespace-nowrap'

type FreeTimesProps = { day: ProviderDay; now: number; hasHours: boolean }

/** The next bookable times, as the provider sees them. */
export function FreeTimes({ day, now, hasHours }: FreeTimesProps) {
  const { free, timeZone, hasManyPlaces } = day
  const first = free[0]?.slots[0]
  return (
    // Also times of places in another zone are in this one.
    <Panel
      title="Next free times"
      aside={hasManyPlaces && first !== undefined && zoneLabel(first.startsAt, timeZone)}
    >
      {free.length === 0 ? (
        <p className="text-muted">
          {hasHours ? 'Every time you offer is booked.' : 'You offer no times yet.'}
        </p>
      ) : (
        <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {free.map(({ date, slots, more }, at) => (
            <li key={date}>
              <h3 className={cx('font-semibold', at === 0 && 'text-accent')}>
                {formatRelativeDay(date, timeZone, now)}
              </h3>
              {[...groupBy(slots, ({ place }) => place)].map(([place, there]) => (
                <div key={place ?? ''} className="mt-2">
                  {place !== undefined && <p className="mb-1 text-sm text-muted">{place}</p>}
                  <ul className="flex flex-wrap items-center gap-2">
                    {there.map(({ startsAt }) => (
                      <li
                        key={startsAt}
                        className={cx(
                          pill,
                          startsAt === first?.startsAt
                            ? 'border-accent bg-accent-tint text-accent'
                            : 'border-line text-ink',
                        )}
                      >
                        {formatTime(startsAt, timeZone)}
                      </li>
                    ))}
                    {more > 0 && there.at(-1) === slots.at(-1) && (
                      <li className="text-sm text-muted">and {more} more</li>
                    )}
                  </ul>
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-4">
        <TextLink
          to={hasHours ? '/doctor/availability/all' : '/doctor/availability/new'}
          className="inline-flex min-h-6 items-center"
        >
          {hasHours ? 'All Availabilities' : 'Set your hours'}
        </TextLink>
      </p>
    </Panel>
  )
}
