import { Link } from '@tanstack/react-router'
import { ChevronRight, Lock } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from '#app/lib/cx.ts'
import { StaffHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Card, PendingShapes } from '#app/ui/page.tsx'
import type { StaffAction } from '#contract/base/staff.ts'
import type { ProviderList } from '#contract/verification-staff.ts'
import { IncomeChart } from './income-chart.tsx'

/** The figures date quickly: they are refetched when the window regains focus. */
const freshOptions = { refetchOnWindowFocus: 'always', staleTime: 5_000 } as const

function useHome() {
  const [[waiting, review, mail, takings, claims, flags]] = trpc.useSuspenseQueries((query) => [
    query.verification.counts(undefined, freshOptions),
    query.payments.reviewCount(undefined, freshOptions),
    query.messages.failedCount(undefined, freshOptions),
    query.payments.incomeByDay(undefined, freshOptions),
    query.outcomes.claimCount(undefined, freshOptions),
    query.visits.flagCount(undefined, freshOptions),
  ])
  return { waiting, review, mail, takings, claims, flags }
}

type Home = ReturnType<typeof useHome>

const providersLink =
  (list: ProviderList): Work['renderLink'] =>
  (props) => <Link to="/admin-home/providers" search={{ list }} {...props} />

const paymentsLink =
  (show: 'review' | 'differences'): Work['renderLink'] =>
  (props) => <Link to="/admin-home/payments" search={{ show }} {...props} />

const claimsLink: Work['renderLink'] = (props) => <Link to="/admin-home/claims" {...props} />

const flagsLink: Work['renderLink'] = (props) => <Link to="/admin-home/cancellations" {...props} />

const mailLink: Work['renderLink'] = (props) => <Link to="/admin-home/mail" {...props} />

function providerWork({ waiting }: Home): Work[] {
  const work = (count: number, label: string, list: ProviderList): Work => ({
    count,
    label,
    act: 'verify',
    renderLink: providersLink(list),
  })
  return [
    work(waiting.waiting, 'await verification', 'waiting'),
    work(
      waiting.companies,
      waiting.companies === 1 ? 'company to review' : 'companies to review',
      'company',
    ),
    work(waiting.lostThisWeek, 'lost verification this week', 'lost'),
  ]
}

function claimWork({ claims }: Home): Work {
  return {
    count: claims.open,
    label: claims.open === 1 ? 'contested visit to review' : 'contested visits to review',
    act: 'decideClaims',
    renderLink: claimsLink,
  }
}

function paymentWork({ review }: Home): Work[] {
  const work = (count: number, label: string, show: 'review' | 'differences'): Work => ({
    count,
    label,
    act: 'reviewPayments',
    renderLink: paymentsLink(show),
  })
  return [
    work(
      review.payments,
      review.payments === 1 ? 'payment in review' : 'payments in review',
      'review',
    ),
    work(
      review.refunds,
      review.refunds === 1 ? 'refund that failed' : 'refunds that failed',
      'review',
    ),
    work(
      review.differences,
      review.differences === 1 ? 'payment discrepancy' : 'payment discrepancies',
      'differences',
    ),
  ]
}

function mailWork({ mail }: Home): Work[] {
  const label = 'couldn’t be delivered'
  return [{ count: mail.failed, label, act: 'retryMail', renderLink: mailLink }]
}

/** For information only: it does not count as an item that needs attention. */
function flagWork({ flags }: Home): Work[] {
  const label = flags.accounts === 1 ? 'account cancels often' : 'accounts cancel often'
  return [{ count: flags.accounts, label, act: 'seeNames', renderLink: flagsLink }]
}

const pending = (
  <PendingShapes
    className="grid gap-6 xl:grid-cols-3"
    shapes={['h-56', 'h-56', 'h-56', 'h-96 xl:col-span-3']}
  />
)

function sumOf(works: readonly Work[]): number {
  return works.reduce((sum, { count }) => sum + count, 0)
}

function leadFor(count: number): string {
  if (count === 0) return 'Nothing needs attention.'
  return count === 1 ? 'One item needs attention.' : `${count} items need attention.`
}

function Body() {
  const home = useHome()
  const providers = providerWork(home)
  const payments = [...paymentWork(home), claimWork(home)]
  const mail = mailWork(home)
  return (
    <>
      <StaffHeading
        title="What needs doing"
        tab="Staff home"
        lead={leadFor(sumOf([...providers, ...payments, ...mail]))}
      />
      <RoleReason act="verify" className="mt-4" />
      <div className="mt-6 grid gap-6 md:grid-cols-2 xl:grid-cols-3">
        <WorkList title="Providers" works={providers} />
        <WorkList title="Payments" works={payments} />
        <div className="grid content-start gap-6 md:max-xl:col-span-2 md:max-xl:grid-cols-2">
          <WorkList title="Emails" works={mail}>
            Emails we stopped retrying after 24 attempts. New ones are retried automatically.
          </WorkList>
          <WorkList title="Cancellations" works={flagWork(home)}>
            Patients and providers to look at. Nothing is blocked automatically.
          </WorkList>
        </div>
      </div>
      <div className="mt-6">
        <IncomeChart takings={home.takings} />
      </div>
    </>
  )
}

/** `/admin-home`: what needs doing today, and how bookings and income went. */
export function StaffHomePage() {
  return (
    <DataBoundary
      failed="The numbers didn’t load"
      renderFrame={(state) => (
        <>
          <StaffHeading title="What needs doing" tab="Staff home" />
          <div className="mt-6">{state}</div>
        </>
      )}
      pending={pending}
    >
      <Body />
    </DataBoundary>
  )
}

/** A kind of item that needs attention, and the link to the list of them. */
type Work = {
  count: number
  /** What is counted, worded to follow the number. */
  label: string
  act: StaffAction
  /** Renders the link, so that the caller's routes and filters stay typed. */
  renderLink: (props: { className: string; children: ReactNode }) => ReactNode
}

const line = 'flex min-h-13 w-full items-center gap-4 px-4 py-2 text-ink no-underline sm:px-6'

function Count({ count }: { count: number }) {
  return (
    <span
      className={cx(
        'tabular min-w-10 text-right text-xl font-semibold',
        count === 0 && 'font-normal text-muted',
      )}
    >
      {count}
    </span>
  )
}

/** A line of work: a link for roles that may do it, only the count for others. */
function WorkLine({ work }: { work: Work }) {
  const { count, label, act, renderLink } = work
  const reason = useStaffRefusal(act)
  const words = <span className={cx('flex-1', count === 0 && 'text-muted')}>{label}</span>
  if (reason !== null) {
    return (
      <div className={line}>
        <Count count={count} />
        {words}
        <span className="flex items-center text-muted" title={reason}>
          <Lock aria-hidden="true" className="size-4" />
          <span className="sr-only">{reason}</span>
        </span>
      </div>
    )
  }
  const children = (
    <>
      <Count count={count} />
      {words}
      <ChevronRight aria-hidden="true" className="size-5 text-muted group-hover:text-brand-deep" />
    </>
  )
  const className = cx(line, 'group transition-colors duration-150 hover:bg-tint')
  return <>{renderLink({ className, children })}</>
}

type WorkListProps = { title: string; works: readonly Work[]; children?: ReactNode }

/** Items that need attention in one area, each with its count first. */
function WorkList({ title, works, children }: WorkListProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Card className="h-full overflow-hidden p-0! sm:p-0!">
        <h2 id={id} className="px-4 pt-4 pb-2 text-lg font-semibold sm:px-6 sm:pt-5">
          {title}
        </h2>
        <ul className="divide-y divide-line border-t border-line">
          {works.map((work) => (
            <li key={work.label}>
              <WorkLine work={work} />
            </li>
          ))}
        </ul>
        {children && (
          <p className="border-t border-line px-4 py-3 text-sm text-muted sm:px-6">{children}</p>
        )}
      </Card>
    </section>
  )
}
