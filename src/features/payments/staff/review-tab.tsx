import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { formatLongDate, formatTime } from '#app/lib/format/dates.ts'
import { formatAnyCurrency } from '#app/lib/format/money.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  type FailedRefund,
  REFUNDS_NOT_LISTED,
  type ReviewRow,
  type Reviews,
} from '#contract/payments-review.ts'
import { ReasonDialog } from './decision-forms.tsx'
import {
  gatewayLabels,
  refundTargets,
  staffDay,
  staffMoment,
  useInvalidatePayments,
} from './payment-labels.ts'
import { PAYMENTS_PATH } from './staff-search.ts'

type OpenDecision =
  | { what: 'accept' | 'return'; row: ReviewRow }
  | { what: 'settle'; refund: FailedRefund }
  | null

/** Items for manual review: payments that do not match what was requested, and failed refunds. */
export function ReviewTab() {
  return (
    <DataBoundary
      failed="The payments in review didn’t load"
      pending={<PendingShapes className="flex flex-col gap-4" shapes={['h-52', 'h-52']} />}
    >
      <ReviewLists />
    </DataBoundary>
  )
}

function ReviewLists() {
  const [reviews] = trpc.payments.reviews.useSuspenseQuery({})
  const [deciding, setDeciding] = useState<OpenDecision>(null)
  const reasonId = useId()
  return (
    <>
      <RoleReason act="reviewPayments" id={reasonId} className="mb-4" />
      <Lists data={reviews} reasonId={reasonId} onDecide={setDeciding} />
      {deciding && <DecideDialog deciding={deciding} onClose={() => setDeciding(null)} />}
    </>
  )
}

type ListsProps = { data: Reviews; reasonId: string; onDecide: (deciding: OpenDecision) => void }

function Lists({ data, reasonId, onDecide }: ListsProps) {
  const { payments, refunds } = data
  if (payments.length + refunds.length === 0) {
    return (
      <EmptyState title="Nothing needs a decision.">
        <p>Payments whose amount or currency isn’t what we requested appear here.</p>
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-8">
      {payments.length > 0 && (
        <Section title="Payments that don’t match">
          {payments.map((row) => (
            <ReviewCard key={row.paymentId} row={row} reasonId={reasonId} onDecide={onDecide} />
          ))}
        </Section>
      )}
      {refunds.length > 0 && (
        <Section title="Refunds that failed">
          {refunds.map((one) => (
            <FailedCard key={one.refundId} refund={one} reasonId={reasonId} onDecide={onDecide} />
          ))}
        </Section>
      )}
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-xl font-semibold">
        {title}
      </h2>
      <ul className="flex flex-col gap-4">{children}</ul>
    </section>
  )
}

const card = 'rounded-card border border-line bg-surface p-4 sm:p-6'

type ReviewParties = { id: string; user_name: string | null; doctor_name: string | null }

function Heading({
  user_name,
  doctor_name,
  children,
}: Omit<ReviewParties, 'id'> & { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <h3 className="text-lg font-semibold wrap-anywhere">
        {user_name ?? 'N/A'}
        <span className="font-normal text-muted"> with {doctor_name ?? 'N/A'}</span>
      </h3>
      <p className="tabular text-sm text-muted">{children}</p>
    </div>
  )
}

function OpenLink({ id, user_name }: Pick<ReviewParties, 'id' | 'user_name'>) {
  return (
    <Link
      to={PAYMENTS_PATH}
      search={{ show: 'review', visit: id }}
      resetScroll={false}
      className={`${textLinkClass} self-center sm:ml-auto`}
    >
      See what happened<span className="sr-only"> to {user_name ?? 'this payment'}</span>
    </Link>
  )
}

/** Expected and actual amount one above the other, so that the difference shows. */
function AmountComparison({ row: { expected, taken } }: { row: ReviewRow }) {
  const isSameCurrency = taken?.currency === expected.currency
  const more = taken === null ? 0 : taken.minor - expected.minor
  const difference = isSameCurrency
    ? `${formatAnyCurrency({ minor: Math.abs(more), currency: expected.currency })} ${more > 0 ? 'more' : 'less'}`
    : 'Different currency'
  return (
    <dl className="tabular grid gap-3 sm:grid-cols-2">
      <div className="rounded-field bg-sunken p-4">
        <dt className="text-sm text-muted">Expected</dt>
        <dd className="text-xl font-semibold">{formatAnyCurrency(expected)}</dd>
      </div>
      <div className="rounded-field border border-accent bg-accent-tint p-4">
        <dt className="text-sm text-muted">Received</dt>
        <dd className="text-xl font-semibold">
          {taken === null ? 'N/A' : formatAnyCurrency(taken)}{' '}
          <span className="text-base font-medium text-accent">{taken && difference}</span>
        </dd>
      </div>
    </dl>
  )
}

type DecideProps = { reasonId: string; onDecide: (deciding: OpenDecision) => void }

function ReviewCard({ row, reasonId, onDecide }: DecideProps & { row: ReviewRow }) {
  const id = useId()
  const isBarred = useStaffRefusal('reviewPayments') !== null
  const cannot = row.whyNotAccept
  return (
    <li className={card}>
      <Heading {...row}>
        {gatewayLabels[row.gateway]}, {staffMoment(row.foundAt, row.timeZone)}
      </Heading>
      <p className="mt-1 mb-4">
        For {formatLongDate(row.startsAt, row.timeZone)}, {formatTime(row.startsAt, row.timeZone)}.
        No visit is booked.
      </p>
      <AmountComparison row={row} />
      {cannot !== null && (
        <p id={id} className="mt-3 text-sm text-muted">
          {cannot}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          disabled={isBarred || cannot !== null}
          aria-describedby={isBarred ? reasonId : cannot === null ? undefined : id}
          onClick={() => onDecide({ what: 'accept', row })}
        >
          Accept as paid
        </Button>
        <Button
          variant="secondary"
          disabled={isBarred}
          aria-describedby={isBarred ? reasonId : undefined}
          onClick={() => onDecide({ what: 'return', row })}
        >
          Refund
        </Button>
        <OpenLink {...row} />
      </div>
    </li>
  )
}

/** Why a refund failed, and what to do about it. */
function FailedText({ refund: { why, amount, gateway } }: { refund: FailedRefund }) {
  const money = <span className="tabular font-semibold">{formatAnyCurrency(amount)}</span>
  if (why === REFUNDS_NOT_LISTED) {
    const name = gatewayLabels[gateway]
    return (
      <p className="mt-1">
        We can’t tell whether {name} refunded {money}: it no longer lists the refunds of this
        payment. Check the payment in your {name} account first. Refund it again from the
        appointment only if nothing was refunded there; otherwise mark it as refunded here.
      </p>
    )
  }
  const next =
    'Refund it again from the appointment, or pay it back another way and mark it as refunded here.'
  if (why === null) {
    return (
      <p className="mt-1">
        The bank returned a refund of {money}, which happens when a card has been closed. {next}
      </p>
    )
  }
  return (
    <>
      <p className="mt-1">
        The gateway refused to refund {money}. {next}
      </p>
      <p className="mt-1 text-sm text-muted">
        The gateway’s reason: <code className="font-mono wrap-anywhere">{why}</code>
      </p>
    </>
  )
}

function FailedCard({ refund, reasonId, onDecide }: DecideProps & { refund: FailedRefund }) {
  const isBarred = useStaffRefusal('reviewPayments') !== null
  const { failedAt, gateway } = refund
  return (
    <li className={card}>
      <Heading {...refund}>
        {gatewayLabels[gateway]}, {staffDay(failedAt)}
      </Heading>
      <FailedText refund={refund} />
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          variant="secondary"
          disabled={isBarred}
          aria-describedby={isBarred ? reasonId : undefined}
          onClick={() => onDecide({ what: 'settle', refund })}
        >
          Mark as refunded
        </Button>
        <OpenLink {...refund} />
      </div>
    </li>
  )
}

function acceptText({ expected, taken }: ReviewRow): string {
  const more = (taken?.minor ?? 0) - expected.minor
  const rest =
    more > 0
      ? ` ${formatAnyCurrency({ minor: more, currency: expected.currency })} is refunded, and we’ll email the patient.`
      : ''
  return `The visit is booked for ${formatAnyCurrency(expected)}, if nobody else has taken its time.${rest}`
}

type DialogProps = { deciding: NonNullable<OpenDecision>; onClose: () => void }

function DecideDialog({ deciding, onClose }: DialogProps) {
  const { client } = trpc.useUtils()
  const invalidate = useInvalidatePayments()
  const done = (text: string) => async () => {
    await invalidate()
    onClose()
    void showToast(text)
  }
  if (deciding.what === 'settle') {
    const { refundId, amount } = deciding.refund
    return (
      <ReasonDialog
        title="Mark as refunded"
        consequence={`${formatAnyCurrency(amount)} will count as refunded. This doesn’t move any money.`}
        action="Mark as refunded"
        failureTitle="Nothing was changed"
        send={(reason) => client.payments.settleRefund.mutate({ refundId, reason })}
        onDone={done('The payment is marked as refunded.')}
        onClose={onClose}
      />
    )
  }
  const { what, row } = deciding
  const { paymentId, taken, expected, gateway } = row
  const send = (reason: string) =>
    client.payments.decideReview.mutate({ paymentId, decision: what, reason })
  const common = { failureTitle: 'Nothing was decided', send, onClose }
  return what === 'accept' ? (
    <ReasonDialog
      {...common}
      title="Accept as paid"
      consequence={acceptText(row)}
      action="Accept as paid"
      onDone={done('The visit is booked.')}
    />
  ) : (
    <ReasonDialog
      {...common}
      title="Refund"
      consequence={`Refund ${formatAnyCurrency(taken ?? expected)} to ${refundTargets[gateway]}. No visit is booked, and we’ll email the patient.`}
      action="Refund"
      isDangerous
      onDone={done('The refund is on its way.')}
    />
  )
}
