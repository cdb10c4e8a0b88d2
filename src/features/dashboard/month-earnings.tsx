import { type ReactNode, useId } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatRelativeDay, formatTime } from '#app/lib/format.ts'
import { TextLink } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { ProviderDay } from '#contract/booking-provider.ts'
import { dateFormat } from '#contract/intl.ts'
import { formatExactMoney } from '#contract/money.ts'
import type { Earnings } from '#contract/payments-history.ts'

function visitCountText(count: number): string {
  return count === 1 ? '1 visit' : `${count} visits`
}

/** "March 2026". */
function monthText(month: string): string {
  return dateFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    new Date(`${month}T12:00:00Z`),
  )
}

/** Earnings from this month's visits, net of refunds. */
export function MonthEarnings({ earnings }: { earnings: Earnings }) {
  const { month, earned, coming, comingVisits } = earnings
  return (
    <Panel title="Earnings this month" aside={monthText(month)}>
      <p className="tabular text-2xl font-semibold">{formatExactMoney(earned)}</p>
      <p className="text-muted">from {visitCountText(earnings.visits)} so far</p>
      {comingVisits > 0 && (
        <p className="tabular mt-3 border-t border-line pt-3">
          {formatExactMoney(coming)}{' '}
          <span className="text-muted">
            paid for {comingVisits === 1 ? '1 upcoming visit' : `${comingVisits} upcoming visits`}
          </span>
        </p>
      )}
      <p className="mt-4">
        <TextLink to="/doctor/appointment-history" className="inline-flex min-h-6 items-center">
          Booked History
        </TextLink>
      </p>
    </Panel>
  )
}

const pill =
  'tabular inline-flex min-h-9 items-center justify-center rounded-field border px-2.5 font-semibold whitespace-nowrap'

type FreeTimesProps = { day: ProviderDay; now: number; hasHours: boolean }

/** The next bookable times, as the provider sees them. */
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
              {[...Map.groupBy(slots, ({ place }) => place)].map(([place, there]) => (
                <div key={place ?? ''} className="mt-2">
                  {place !== undefined && <p className="mb-1 text-sm text-muted">{place}</p>}
                  <ul className="flex flex-wrap items-center gap-2">
                    {there.map(({ startsAt }) => (
                      <li
                        key={startsAt}
                        className={cx(
                          pill,
                          startsAt === free[0]?.slots[0]?.startsAt
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

type PanelProps = { title: string; aside?: ReactNode; children: ReactNode }

/** A section of the dashboard with its heading. */
export function Panel({ title, aside, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 id={id} className="text-xl font-semibold">
            {title}
          </h2>
          {aside && <p className="tabular text-sm text-muted">{aside}</p>}
        </div>
        {children}
      </Card>
    </section>
  )
}
