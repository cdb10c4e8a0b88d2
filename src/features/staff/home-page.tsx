import { Link } from '@tanstack/react-router'
import { describeFailure } from '#app/lib/errors.ts'
import { RoleReason } from '#app/parts/role-gate.tsx'
import { StaffHeading } from '#app/parts/staff-heading.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { ProviderList } from '#contract/verification-staff.ts'
import { IncomeChart } from './income-chart.tsx'
import { type Work, WorkList } from './work-list.tsx'

/** Numbers are old soon; somebody who comes back to the window looks at new ones. */
const fresh = { refetchOnWindowFocus: 'always', staleTime: 5_000 } as const

function useHome() {
  const waiting = trpc.verification.counts.useQuery(undefined, fresh)
  const review = trpc.payments.reviewCount.useQuery(undefined, fresh)
  const mail = trpc.messages.failedCount.useQuery(undefined, fresh)
  const takings = trpc.payments.incomeByDay.useQuery(undefined, fresh)
  return { waiting, review, mail, takings }
}

type Home = ReturnType<typeof useHome>

const providersLink =
  (list: ProviderList): Work['renderLink'] =>
  (props) => <Link to="/admin-home/providers" search={{ list }} {...props} />

const paymentsLink =
  (show: 'review' | 'differences'): Work['renderLink'] =>
  (props) => <Link to="/admin-home/payments" search={{ show }} {...props} />

const mailLink: Work['renderLink'] = (props) => <Link to="/admin-home/mail" {...props} />

function providerWork({ waiting }: Home): Work[] {
  const { data } = waiting
  if (data === undefined) return []
  const work = (count: number, label: string, list: ProviderList): Work => ({
    count,
    label,
    act: 'verify',
    renderLink: providersLink(list),
  })
  return [
    work(data.waiting, 'await verification', 'waiting'),
    work(data.companies, 'companies to decide about', 'company'),
    work(data.lostThisWeek, 'lost standing this week', 'lost'),
  ]
}

function paymentWork({ review }: Home): Work[] {
  const { data } = review
  if (data === undefined) return []
  const work = (count: number, label: string, show: 'review' | 'differences'): Work => ({
    count,
    label,
    act: 'reviewPayments',
    renderLink: paymentsLink(show),
  })
  return [
    work(data.payments, 'payments in review', 'review'),
    work(data.refunds, 'refunds that failed', 'review'),
    work(data.differences, 'differences in the books', 'differences'),
  ]
}

function mailWork({ mail }: Home): Work[] {
  const { data } = mail
  if (data === undefined) return []
  const label = 'could not be delivered'
  return [{ count: data.failed, label, act: 'retryMail', renderLink: mailLink }]
}

function Waiting() {
  return (
    <div aria-busy="true" className="mt-6 grid gap-6 xl:grid-cols-3">
      <Skeleton className="h-56" />
      <Skeleton className="h-56" />
      <Skeleton className="h-56" />
      <Skeleton className="h-96 xl:col-span-3" />
    </div>
  )
}

function sumOf(works: readonly Work[]): number {
  return works.reduce((sum, { count }) => sum + count, 0)
}

function leadFor(count: number): string {
  if (count === 0) return 'Nothing waits for anybody.'
  return count === 1 ? 'One thing waits for somebody.' : `${count} things wait for somebody.`
}

function Body({ home }: { home: Home }) {
  const { takings } = home
  const groups = [
    { title: 'Providers', works: providerWork(home), about: undefined },
    { title: 'Payments', works: paymentWork(home), about: undefined },
    {
      title: 'Mail',
      works: mailWork(home),
      about: 'Letters that were tried for most of a day. New ones are tried again by themselves.',
    },
  ]
  return (
    <>
      <StaffHeading
        title="What needs doing"
        tab="Staff home"
        lead={leadFor(sumOf(groups.flatMap(({ works }) => works)))}
      />
      <RoleReason act="verify" className="mt-4" />
      <div className="mt-6 grid gap-6 md:grid-cols-2 xl:grid-cols-3">
        {groups.map(({ title, works, about }) => (
          <WorkList key={title} title={title} works={works}>
            {about}
          </WorkList>
        ))}
      </div>
      <div className="mt-6">{takings.data && <IncomeChart takings={takings.data} />}</div>
    </>
  )
}

/** `/admin-home`: what needs doing today, and how bookings and income went. */
export function StaffHomePage() {
  const home = useHome()
  const parts = Object.values(home)
  const failed = parts.find(({ error, data }) => error !== null && data === undefined)
  if (failed?.error) {
    const { sentence, reference } = describeFailure(failed.error)
    const retry = () => {
      for (const one of parts) if (one.error) void one.refetch()
    }
    return (
      <>
        <StaffHeading title="What needs doing" tab="Staff home" />
        <div className="mt-6">
          <ErrorState
            title="The numbers did not load"
            sentence={sentence}
            reference={reference}
            actions={<Button onClick={retry}>Try again</Button>}
          />
        </div>
      </>
    )
  }
  if (parts.some(({ data }) => data === undefined)) {
    return (
      <>
        <StaffHeading title="What needs doing" tab="Staff home" />
        <Waiting />
      </>
    )
  }
  return <Body home={home} />
}
