import { Link, useNavigate } from '@tanstack/react-router'
import { StaffHeading } from '#app/parts/dashboard-heading.tsx'
import { trpc } from '#app/trpc.ts'
import { DifferencesTab } from './differences-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { PaymentSheet, type RenderActions } from './payment-sheet.tsx'
import { ReviewTab } from './review-tab.tsx'
import type { StaffPaymentsSearch } from './staff-search.ts'

const PAGE_PATH = '/admin-home/payments'

const tab =
  'inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-1 font-medium text-muted no-underline ' +
  'hover:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink'

/** The number of pending items beside a tab's name. */
function CountBadge({ n }: { n: number | undefined }) {
  if (n === undefined || n === 0) return null
  return (
    <span className="tabular rounded-full bg-accent-tint px-2 text-sm font-semibold text-accent">
      {n}
      <span className="sr-only"> waiting</span>
    </span>
  )
}

function Tabs({ show }: { show: string | undefined }) {
  const { data } = trpc.payments.reviewCount.useQuery({})
  const inReview = data && data.payments + data.refunds
  const tabs = [
    { name: 'History', show: undefined, n: undefined },
    { name: 'In review', show: 'review', n: inReview },
    { name: 'Differences', show: 'differences', n: data?.differences },
  ]
  return (
    <nav
      aria-label="Payments"
      className="no-print mt-4 mb-6 flex gap-6 overflow-x-auto border-b max-sm:gap-3 border-line"
    >
      {tabs.map((one) => (
        <Link
          key={one.name}
          to={PAGE_PATH}
          search={one.show === undefined ? {} : { show: one.show }}
          // Exact, as the URL also holds filters, with which a tab would not match otherwise.
          activeOptions={{ exact: true }}
          aria-current={one.show === show ? 'page' : undefined}
          className={tab}
        >
          <span className="whitespace-nowrap">{one.name}</span>
          <CountBadge n={one.n} />
        </Link>
      ))}
    </nav>
  )
}

type PaymentsPageProps = { address: StaffPaymentsSearch; renderActions: RenderActions }

/** `/admin-home/payments`: all bookings, pending decisions, and differences. */
export function PaymentsPage({ address, renderActions }: PaymentsPageProps) {
  const navigate = useNavigate()
  const { visit, ...list } = address
  const show = list.show === 'review' || list.show === 'differences' ? list.show : undefined
  return (
    <>
      <StaffHeading title="Appointment History" />
      <Tabs show={show} />
      {show === undefined && <HistoryTab address={address} />}
      {show === 'review' && <ReviewTab />}
      {show === 'differences' && <DifferencesTab address={list} />}
      <PaymentSheet
        id={visit ?? null}
        renderActions={renderActions}
        onClose={() => void navigate({ to: PAGE_PATH, search: list, resetScroll: false })}
      />
    </>
  )
}
