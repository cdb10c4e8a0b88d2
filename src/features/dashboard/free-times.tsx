import { cx } from '#app/lib/cx.ts'
import { formatRelativeDay, formatTime } from '#app/lib/format-time.ts'
import { TextLink } from '#app/ui/text-link.tsx'
import type { ProviderDay } from '#contract/booking.ts'
import { Panel } from './panel.tsx'

const pill =
  'tabular inline-flex min-h-9 items-center justify-center rounded-field border px-2.5 font-semibold whitespace-nowrap'

type FreeTimesProps = { day: ProviderDay; now: number; hasHours: boolean }

/** The next times patients can book, looked at from the other side. */
export function FreeTimes({ day, now, hasHours }: FreeTimesProps) {
  const { free, timeZone } = day
  return (
    <Panel title="Next free times">
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
              <ul className="mt-2 flex flex-wrap items-center gap-2">
                {slots.map(({ startsAt }, n) => (
                  <li
                    key={startsAt}
                    className={cx(
                      pill,
                      at === 0 && n === 0
                        ? 'border-accent bg-accent-tint text-accent'
                        : 'border-line text-ink',
                    )}
                  >
                    {formatTime(startsAt, timeZone)}
                  </li>
                ))}
                {more > 0 && <li className="text-sm text-muted">and {more} more</li>}
              </ul>
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
