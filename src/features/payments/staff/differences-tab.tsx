import { Link } from '@tanstack/react-router'
import { useDeferredValue, useId, useState } from 'react'
import { formatAnyCurrency } from '#app/lib/format/money.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, textLinkClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Difference } from '#contract/payments-review.ts'
import { ReasonDialog } from './decision-forms.tsx'
import {
  differenceLabels,
  gatewayLabels,
  staffDay,
  useInvalidatePayments,
} from './payment-labels.ts'
import { differencesInput, PAYMENTS_PATH, type StaffPaymentsSearch } from './staff-search.ts'

/** Differences that the daily reconciliation with the gateways could not resolve. */
export function DifferencesTab({ address }: { address: StaffPaymentsSearch }) {
  const { show, page } = differencesInput(address)
  return (
    <>
      <p className="mb-4 max-w-prose text-muted">
        Once a day we compare the gateways’ records with ours. Anything we couldn’t correct
        automatically is listed here; nothing was booked, charged or refunded because of it.
      </p>
      <Switch show={show} />
      <DataBoundary
        failed="The differences didn’t load"
        pending={<PendingShapes shapes={['h-64']} />}
      >
        <List show={show} page={page} />
      </DataBoundary>
    </>
  )
}

function Switch({ show }: { show: 'open' | 'dealt' }) {
  const choice =
    'inline-flex min-h-11 items-center rounded-field px-4 font-medium text-brand-deep no-underline hover:bg-tint ' +
    'aria-[current=page]:bg-brand aria-[current=page]:text-on-brand'
  return (
    <nav aria-label="Differences" className="mb-4 flex gap-2">
      {(['open', 'dealt'] as const).map((one) => (
        <Link
          key={one}
          to={PAYMENTS_PATH}
          search={{ show: 'differences', ...(one === 'dealt' && { dealt: '1' }) }}
          activeOptions={{ exact: true }}
          aria-current={one === show ? 'page' : undefined}
          className={choice}
        >
          {one === 'open' ? 'Open' : 'Resolved'}
        </Link>
      ))}
    </nav>
  )
}

function List(asked: { show: 'open' | 'dealt'; page: number }) {
  const show = useDeferredValue(asked.show)
  const page = useDeferredValue(asked.page)
  const [data] = trpc.payments.differences.useSuspenseQuery({ show, page })
  const reasonId = useId()
  const [dealing, setDealing] = useState<Difference | null>(null)
  if (data.differences.length === 0) {
    const isPastEnd = data.total_pages > 0
    if (isPastEnd) {
      return (
        <EmptyState
          title="No differences on this page."
          actions={
            <LinkButton
              variant="secondary"
              to={PAYMENTS_PATH}
              search={{ show: 'differences', ...(show === 'dealt' && { dealt: '1' }) }}
            >
              Back to the first page
            </LinkButton>
          }
        />
      )
    }
    return (
      <EmptyState title={show === 'open' ? 'No differences.' : 'None resolved yet.'}>
        {show === 'open' && <p>The gateways’ records match ours.</p>}
      </EmptyState>
    )
  }
  return (
    <>
      <RoleReason act="reviewPayments" id={reasonId} className="mb-4" />
      <ul className="overflow-hidden rounded-card border border-line bg-surface">
        {data.differences.map((one) => (
          <Row
            key={`${one.gateway} ${one.object} ${one.kind}`}
            one={one}
            reasonId={reasonId}
            onDeal={() => setDealing(one)}
          />
        ))}
      </ul>
      <div className="mt-6">
        <Pagination
          page={data.current_page}
          pages={data.total_pages}
          renderLink={(to, props) => (
            <Link
              key={props['aria-label']}
              to={PAYMENTS_PATH}
              search={{
                show: 'differences',
                ...(show === 'dealt' && { dealt: '1' }),
                ...(to > 1 && { page: String(to) }),
              }}
              activeOptions={{ exact: true }}
              {...props}
            />
          )}
        />
      </div>
      {dealing && <DealDialog one={dealing} onClose={() => setDealing(null)} />}
    </>
  )
}

type RowProps = { one: Difference; reasonId: string; onDeal: () => void }

function Row({ one, reasonId, onDeal }: RowProps) {
  const isBarred = useStaffRefusal('reviewPayments') !== null
  const { id, amount, ours, dealtAt } = one
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line p-4 last:border-b-0 sm:p-5 lg:grid-cols-[minmax(0,1fr)_9rem_auto] lg:items-center">
      <div className="min-w-0">
        <p className="font-semibold">{differenceLabels[one.kind]}</p>
        <p className="tabular text-sm text-muted">
          {gatewayLabels[one.gateway]}, found {staffDay(one.foundAt)}{' '}
          <code className="font-mono text-sm wrap-anywhere select-all">{one.object}</code>
        </p>
        {one.details && <p className="mt-1 text-sm">{one.details}</p>}
        {dealtAt && (
          <p className="mt-1 text-sm">
            Resolved {staffDay(dealtAt)}
            {one.dealtBy && ` by ${one.dealtBy}`}
            {one.dealtNote && `: ${one.dealtNote}`}
          </p>
        )}
        {id && (
          <Link
            to={PAYMENTS_PATH}
            search={{ show: 'differences', ...(dealtAt && { dealt: '1' }), visit: id }}
            resetScroll={false}
            className={textLinkClass}
          >
            See the appointment
          </Link>
        )}
      </div>
      <p className="tabular lg:text-right">
        <span className="font-semibold">{formatAnyCurrency(amount)}</span>
        {ours && <span className="block text-sm text-muted">ours {formatAnyCurrency(ours)}</span>}
      </p>
      {dealtAt === null && (
        <Button
          variant="secondary"
          className="justify-self-start"
          disabled={isBarred}
          aria-describedby={isBarred ? reasonId : undefined}
          onClick={onDeal}
        >
          Mark as resolved
        </Button>
      )}
    </li>
  )
}

function DealDialog({ one, onClose }: { one: Difference; onClose: () => void }) {
  const { client } = trpc.useUtils()
  const invalidate = useInvalidatePayments()
  const { gateway, object, kind } = one
  return (
    <ReasonDialog
      title="Mark as resolved"
      consequence={`${differenceLabels[kind]}: ${formatAnyCurrency(one.amount)}. Marking it doesn’t move any money.`}
      action="Mark as resolved"
      failureTitle="Nothing was marked"
      send={(reason) => client.payments.settleDifference.mutate({ gateway, object, kind, reason })}
      onDone={async () => {
        await invalidate()
        onClose()
        void showToast('The difference is marked as resolved.')
      }}
      onClose={onClose}
    />
  )
}
