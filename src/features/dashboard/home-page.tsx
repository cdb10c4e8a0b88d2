import type { ReactNode } from 'react'
import { formatLongDate } from '#app/lib/format.ts'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import type { ProviderDay } from '#contract/booking-provider.ts'
import { FreeTimes, MonthEarnings } from './month-earnings.tsx'
import { Standing } from './standing.tsx'
import { Today } from './today.tsx'

/** Refetch interval for a page left open. */
const EVERY_MINUTE = 60_000

type HomeProps = {
  /** The calendar, once the clinic's date and time zone are known; from another feature module. */
  renderCalendar: (day: Pick<ProviderDay, 'date' | 'timeZone'>) => ReactNode
}

/** `/dochome`: today's visits, the calendar, this month's earnings and the provider's status. */
export function DashboardHomePage(props: HomeProps) {
  return (
    <DataBoundary
      failed="Your day did not load"
      renderFrame={(state) => (
        <>
          <DashboardHeading title="DashBoard" />
          <div className="mt-6">{state}</div>
        </>
      )}
      pending={
        <PendingShapes
          className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]"
          shapes={['h-96', 'h-96']}
        />
      }
    >
      <Day {...props} />
    </DataBoundary>
  )
}

function Day({ renderCalendar }: HomeProps) {
  const [[day, earnings, profile, verification]] = trpc.useSuspenseQueries((query) => [
    query.booking.today(undefined, { refetchInterval: EVERY_MINUTE }),
    query.payments.earnings(),
    query.profiles.own(),
    query.verification.mine({}),
  ])
  const now = Date.parse(day.now)
  const hasHours = profile.steps.some(({ key, isDone }) => key === 'hours' && isDone)
  const isVerified = profile.verification_status === 'Verified'
  const standing = <Standing profile={profile} verification={verification} />
  return (
    <>
      <DashboardHeading title="DashBoard">
        <p className="mt-1 text-lg text-muted">
          {profile.shownName}, {formatLongDate(day.now, day.timeZone)}
        </p>
      </DashboardHeading>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">
        {/* First, because until then patients cannot find the provider. */}
        {!isVerified && standing}
        <Today day={day} now={now} hasHours={hasHours} />
        {hasHours && renderCalendar(day)}
        <div className="no-print grid items-start gap-6 lg:grid-cols-2">
          <FreeTimes day={day} now={now} hasHours={hasHours} />
          <div className="grid gap-6">
            {isVerified && standing}
            <MonthEarnings earnings={earnings} />
          </div>
        </div>
      </div>
    </>
  )
}
