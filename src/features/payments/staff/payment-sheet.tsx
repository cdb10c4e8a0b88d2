import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatLongDate, zoneLabel } from '#app/lib/format/dates.ts'
import { formatAnyCurrency } from '#app/lib/format/money.ts'
import { visitHours, visitTypeText, visitZone } from '#app/lib/visit-text.ts'
import { DataBoundary, LoadFailure, type LoadFailureProps } from '#app/parts/data-boundary.tsx'
import { RoleGuard, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { InlineStepUp, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Sheet } from '#app/ui/dialog.tsx'
import { Badge, ErrorState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { PaymentDetail, StaffPayment, TimelineEntry } from '#contract/payments.ts'
import { RefundForm } from './decision-forms.tsx'
import {
  entryDetail,
  entryTitle,
  gatewayLabels,
  paymentStateLabels,
  staffMoment,
  useInvalidatePayments,
  visitStateLabels,
} from './payment-labels.ts'

/** Renders further actions on a visit, by another feature. */
export type RenderActions = (visit: StaffPayment) => ReactNode

type PaymentSheetProps = {
  id: string | null
  renderActions: RenderActions
  onClose: () => void
}

/** One appointment and its payments beside the list; full screen on phones. */
export function PaymentSheet({ id, ...rest }: PaymentSheetProps) {
  if (id === null) return null
  return <OpenSheet key={id} id={id} {...rest} />
}

function OpenSheet({ id, renderActions, onClose }: PaymentSheetProps & { id: string }) {
  const [refunding, setRefunding] = useState<string | null>(null)
  const proof = useStepUpState()
  const top = useRef<HTMLDivElement>(null)
  const seen = useRef(refunding)
  useEffect(() => {
    // The element that had focus is gone.
    if (seen.current !== refunding) top.current?.focus()
    seen.current = refunding
  }, [refunding])
  const isOverview = refunding === null
  const title = isOverview ? 'Appointment' : 'Refund'
  const back = () => (proof.isAsking ? proof.end(false) : setRefunding(null))
  return (
    <Sheet
      isOpen
      title={proof.isAsking ? 'Confirm it’s you' : title}
      onClose={() => (isOverview && !proof.isAsking ? onClose() : back())}
    >
      <div ref={top} tabIndex={-1} className="outline-none" />
      <DataBoundary
        failed="The appointment didn’t load"
        pending={
          <PendingShapes className="flex flex-col gap-4" shapes={['h-28', 'h-40', 'h-64']} />
        }
        renderFailure={(failure) => <PaymentNotFound {...failure} onClose={onClose} />}
      >
        <LoadedPayment
          id={id}
          renderActions={renderActions}
          proof={proof}
          refunding={refunding}
          onRefund={setRefunding}
        />
      </DataBoundary>
    </Sheet>
  )
}

type LoadedPaymentProps = {
  id: string
  renderActions: RenderActions
  proof: ReturnType<typeof useStepUpState>
  /** The payment that is being refunded; null for the overview. */
  refunding: string | null
  onRefund: (paymentId: string | null) => void
}

function LoadedPayment({ id, renderActions, proof, refunding, onRefund }: LoadedPaymentProps) {
  const [visit] = trpc.payments.staffPayment.useSuspenseQuery({ id })
  const payment = visit.payments.find((one) => one.id === refunding)
  if (payment === undefined) {
    return <PaymentFacts visit={visit} actions={renderActions(visit)} onRefund={onRefund} />
  }
  return (
    <InlineStepUp proof={proof} action="Confirm and refund">
      <Refunding visit={visit} payment={payment} proof={proof} onEnd={() => onRefund(null)} />
    </InlineStepUp>
  )
}

type RefundingProps = Pick<Parameters<typeof RefundForm>[0], 'payment' | 'proof'> & {
  visit: StaffPayment
  onEnd: () => void
}

function Refunding({ visit, payment, proof, onEnd }: RefundingProps) {
  const invalidate = useInvalidatePayments()
  return (
    <RefundForm
      visit={visit}
      payment={payment}
      proof={proof}
      onClose={onEnd}
      onRefunded={async (text) => {
        await invalidate()
        onEnd()
        void showToast(text)
      }}
    />
  )
}

type PaymentNotFoundProps = LoadFailureProps & { onClose: () => void }

function PaymentNotFound({ onClose, ...failure }: PaymentNotFoundProps) {
  const { code, reference } = describeFailure(failure.error)
  if (code !== 'not_found' && code !== 'invalid_input') return <LoadFailure {...failure} />
  return (
    <ErrorState
      title="We can’t find this appointment"
      sentence="The link may be wrong. You can go back to the list."
      reference={reference}
      actions={<Button onClick={onClose}>Back to the list</Button>}
    />
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.25rem_minmax(0,1fr)] gap-3 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** An identifier of ours or a gateway's, to be copied. */
function Name({ children }: { children: string | null }) {
  if (children === null) return <span className="text-muted">N/A</span>
  return <code className="font-mono text-sm tracking-tight select-all">{children}</code>
}

function Visit({ visit }: { visit: StaffPayment }) {
  const { state } = visit
  return (
    <section aria-label="Visit">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-lg font-semibold wrap-anywhere">{visit.user_name ?? 'N/A'}</p>
        <Badge tone={state === 'confirmed' ? 'ok' : 'plain'}>{visitStateLabels[state]}</Badge>
      </div>
      <dl className="mt-2">
        <Fact name="Doctor">{visit.doctor_name ?? 'N/A'}</Fact>
        <Fact name="When">
          {formatLongDate(visit.startsAt, visit.timeZone)}
          <span className="tabular block">
            {visitHours(visit)} <span className="text-muted">({visitZone(visit)})</span>
          </span>
        </Fact>
        <Fact name="Kind">
          {visitTypeText(visit)}
          {visit.mode === 'video' && ', by video'}
          {visit.patientState !== null && ` (patient in ${visit.patientState})`}
        </Fact>
        <Fact name="Reference">
          <span className="tabular select-all">{visit.reference}</span>
        </Fact>
        <Fact name="Appointment">
          <Name>{visit.id}</Name>
        </Fact>
      </dl>
    </section>
  )
}

/** A refunded payment stays in the state paid as long as its visit is booked. */
function stateText({ state, refunded, refundable }: PaymentDetail): string {
  if (state !== 'paid' || refunded.minor === 0) return paymentStateLabels[state]
  return refundable === 0 ? paymentStateLabels.refunded : 'Partly refunded'
}

/** States of a payment whose money was received. */
const RECEIVED_STATES = new Set<PaymentDetail['state']>(['paid', 'refund_due', 'refunded'])

/** The patient's receipt, for the roles that may see names. */
function ReceiptLink({ payment }: { payment: PaymentDetail }) {
  const mayNot = useStaffRefusal('seeNames') !== null
  if (mayNot || !RECEIVED_STATES.has(payment.state)) return null
  return (
    <TextLink
      to="/receipt/$paymentId"
      params={{ paymentId: payment.id }}
      className="mt-3 mr-4 inline-flex min-h-6 items-center"
    >
      Receipt
    </TextLink>
  )
}

type PaymentCardProps = { payment: PaymentDetail; onRefund: (id: string) => void }

function PaymentCard({ payment, onRefund }: PaymentCardProps) {
  const { amount, taken, refunded, refundable, state } = payment
  const isReceived = taken ?? amount
  return (
    <li className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="tabular text-xl font-semibold">{formatAnyCurrency(isReceived)}</p>
        <Badge tone={state === 'paid' ? 'ok' : state === 'review' ? 'accent' : 'plain'}>
          {stateText(payment)}
        </Badge>
      </div>
      <dl className="tabular mt-2">
        <Fact name="Method">{gatewayLabels[payment.gateway]}</Fact>
        {taken && <Fact name="Requested">{formatAnyCurrency(amount)}</Fact>}
        {refunded.minor > 0 && <Fact name="Refunded">{formatAnyCurrency(refunded)}</Fact>}
        {refunded.minor > 0 && state === 'paid' && (
          <Fact name="Net">
            {formatAnyCurrency({ minor: refundable, currency: isReceived.currency })}
          </Fact>
        )}
        <Fact name="Payment ID">
          <Name>{payment.id}</Name>
        </Fact>
        <Fact name="Gateway ID">
          <Name>{payment.reference ?? payment.session}</Name>
        </Fact>
      </dl>
      <ReceiptLink payment={payment} />
      {refundable > 0 && (
        <RoleGuard act="refund" className="mt-3">
          {(disabledProps) => (
            <Button
              {...disabledProps}
              variant="secondary"
              className="mt-3"
              onClick={() => onRefund(payment.id)}
            >
              Refund
            </Button>
          )}
        </RoleGuard>
      )}
    </li>
  )
}

type PaymentFactsProps = {
  visit: StaffPayment
  actions: ReactNode
  onRefund: (paymentId: string) => void
}

/** The visit, each payment attempt, and the timeline. */
function PaymentFacts({ visit, actions, onRefund }: PaymentFactsProps) {
  return (
    <div className="flex flex-col gap-6">
      <Visit visit={visit} />
      {actions}
      <section aria-labelledby="payments-of-visit">
        <h3 id="payments-of-visit" className="mb-2 font-semibold">
          {visit.payments.length === 1 ? 'Payment' : 'Payments'}
        </h3>
        <ul className="flex flex-col gap-3">
          {visit.payments.toReversed().map((payment) => (
            <PaymentCard key={payment.id} payment={payment} onRefund={onRefund} />
          ))}
        </ul>
      </section>
      <Timeline entries={visit.timeline} timeZone={visit.timeZone} />
    </div>
  )
}

/** Whether an entry is exceptional, so that it is highlighted. */
function isExceptional({ what, to }: TimelineEntry): boolean {
  return what === 'decided' || to === 'review' || to === 'failed' || what === 'refund_dealt'
}

type EntryProps = { entry: TimelineEntry; timeZone: string; isLast: boolean }

function Entry({ entry, timeZone, isLast }: EntryProps) {
  const { at, amount, who, reference } = entry
  const reason = entryDetail(entry, timeZone)
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0">
      {!isLast && (
        <span aria-hidden="true" className="absolute top-4 bottom-0 left-[5px] w-px bg-line" />
      )}
      <span
        aria-hidden="true"
        className={cx(
          'relative mt-1.5 size-[11px] shrink-0 rounded-full border-2',
          isExceptional(entry) ? 'border-accent bg-accent' : 'border-brand bg-surface',
        )}
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="font-medium">
            {entryTitle(entry)}
            {amount && <span className="tabular">, {formatAnyCurrency(amount)}</span>}
          </p>
          <p className="tabular text-sm text-muted">
            <time dateTime={at}>{staffMoment(at, timeZone)}</time>
          </p>
        </div>
        {who && <p className="text-sm text-muted wrap-anywhere">by {who}</p>}
        {reason && <p className="text-sm whitespace-pre-line wrap-anywhere">{reason}</p>}
        {reference && <p className="font-mono text-sm text-muted wrap-anywhere">{reference}</p>}
      </div>
    </li>
  )
}

type TimelineProps = { entries: readonly TimelineEntry[]; timeZone: string }

/** The timeline of a visit and its payments, latest first, in local time at the practice. */
function Timeline({ entries, timeZone }: TimelineProps) {
  const [first] = entries
  const latest = entries.toReversed()
  return (
    <section aria-labelledby="timeline-of-visit">
      <h3 id="timeline-of-visit" className="font-semibold">
        Timeline
      </h3>
      <p className="mb-3 text-sm text-muted">
        Latest first{first && `, ${zoneLabel(first.at, timeZone).split(',')[0]}`}
      </p>
      <ol>
        {latest.map((entry, at) => (
          <Entry
            key={`${entry.at} ${entry.what} ${entry.reference ?? ''} ${entry.note ?? ''}`}
            entry={entry}
            timeZone={timeZone}
            isLast={at === latest.length - 1}
          />
        ))}
      </ol>
    </section>
  )
}
