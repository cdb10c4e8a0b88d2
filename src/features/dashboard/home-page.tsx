import { describeFailure } from '#app/lib/errors.ts'
import { formatLongDate } from '#app/lib/format-time.ts'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { FreeTimes } from './free-times.tsx'
import { MonthEarnings } from './month-earnings.tsx'
import { Standing } from './standing.tsx'
import { Today } from './today.tsx'

/** A day that stands open on a screen is looked at again. */
const EVERY_MINUTE = 60_000

function Waiting() {
  return (
    <div aria-busy="true" className="mt-6 grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <Skeleton className="h-96" />
      <div className="flex flex-col gap-6">
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
      </div>
    </div>
  )
}

/** `/dochome`: today's visits, the next free times, this month's earnings and how the provider stands. */
export function DashboardHomePage() {
  const day = trpc.booking.today.useQuery(undefined, { refetchInterval: EVERY_MINUTE })
  const earnings = trpc.payments.earnings.useQuery()
  const profile = trpc.profiles.own.useQuery()
  if (!day.data || !earnings.data || !profile.data) {
    const failed = [day, earnings, profile].find(({ error }) => error !== null)
    if (!failed?.error) {
      return (
        <>
          <DashboardHeading title="DashBoard" />
          <Waiting />
        </>
      )
    }
    const { sentence, reference } = describeFailure(failed.error)
    const retry = () => void Promise.all([day, earnings, profile].map((one) => one.refetch()))
    return (
      <>
        <DashboardHeading title="DashBoard" />
        <div className="mt-6">
          <ErrorState
            title="Your day did not load"
            sentence={sentence}
            reference={reference}
            actions={<Button onClick={retry}>Try again</Button>}
          />
        </div>
      </>
    )
  }
  const now = Date.parse(day.data.now)
  const hasHours = profile.data.steps.some(({ key, isDone }) => key === 'hours' && isDone)
  const isVerified = profile.data.verification_status === 'Verified'
  const standing = <Standing profile={profile.data} />
  return (
    <>
      <DashboardHeading title="DashBoard">
        <p className="mt-1 text-lg text-muted">
          {profile.data.shownName}, {formatLongDate(day.data.now, day.data.timeZone)}
        </p>
      </DashboardHeading>
      <div className="mt-6 grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-6">
          {/* Nothing else matters before patients can find them. */}
          {!isVerified && standing}
          <Today day={day.data} now={now} hasHours={hasHours} />
          <FreeTimes day={day.data} now={now} hasHours={hasHours} />
        </div>
        <div className="grid items-start gap-6 lg:max-xl:grid-cols-2">
          {isVerified && standing}
          <MonthEarnings earnings={earnings.data} />
        </div>
      </div>
    </>
  )
}
