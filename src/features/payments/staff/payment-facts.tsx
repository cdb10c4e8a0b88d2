import type { ReactNode } from 'react'
import { formatLongDate } from '#app/lib/format-time.ts'
import { visitHours, visitTypeWords, visitZone } from '#app/lib/visit-words.ts'
import { RoleGate } from '#app/parts/role-gate.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import type { PaymentDetail, StaffPayment } from '#contract/payments-staff.ts'
import { gatewayWords, movedText, paymentStateWords, visitStateWords } from './payment-words.ts'
import { Timeline } from './timeline.tsx'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.25rem_minmax(0,1fr)] gap-3 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** What a gateway or we call something: to be copied, not read. */
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
        <Badge tone={state === 'confirmed' ? 'ok' : 'plain'}>{visitStateWords[state]}</Badge>
      </div>
      <dl className="mt-2">
        <Fact name="Doctor">{visit.doctor_name ?? 'N/A'}</Fact>
        <Fact name="When">
          {formatLongDate(visit.startsAt, visit.timeZone)}
          <span className="tabular block">
            {visitHours(visit)} <span className="text-muted">({visitZone(visit)})</span>
          </span>
        </Fact>
        <Fact name="Kind">{visitTypeWords[visit.typeOfVisit]}</Fact>
        <Fact name="Appointment">
          <Name>{visit.id}</Name>
        </Fact>
      </dl>
    </section>
  )
}

/** A payment that went back counts as paid for as long as its visit is booked with it. */
function stateWords({ state, refunded, refundable }: PaymentDetail): string {
  if (state !== 'paid' || refunded.minor === 0) return paymentStateWords[state]
  return refundable === 0 ? paymentStateWords.refunded : 'Partly given back'
}

type PaymentCardProps = { payment: PaymentDetail; onRefund: (id: string) => void }

function PaymentCard({ payment, onRefund }: PaymentCardProps) {
  const { amount, taken, refunded, refundable, state } = payment
  const came = taken ?? amount
  return (
    <li className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="tabular text-xl font-semibold">{movedText(came)}</p>
        <Badge tone={state === 'paid' ? 'ok' : state === 'review' ? 'accent' : 'plain'}>
          {stateWords(payment)}
        </Badge>
      </div>
      <dl className="tabular mt-2">
        <Fact name="Method">{gatewayWords[payment.gateway]}</Fact>
        {taken && <Fact name="Asked for">{movedText(amount)}</Fact>}
        {refunded.minor > 0 && <Fact name="Gone back">{movedText(refunded)}</Fact>}
        {refunded.minor > 0 && state === 'paid' && (
          <Fact name="Kept">{movedText({ minor: refundable, currency: came.currency })}</Fact>
        )}
        <Fact name="Payment">
          <Name>{payment.id}</Name>
        </Fact>
        <Fact name="Gateway">
          <Name>{payment.reference ?? payment.session}</Name>
        </Fact>
      </dl>
      {refundable > 0 && (
        <RoleGate act="refund" className="mt-3">
          {(gate) => (
            <Button
              {...gate}
              variant="secondary"
              className="mt-3"
              onClick={() => onRefund(payment.id)}
            >
              Refund
            </Button>
          )}
        </RoleGate>
      )}
    </li>
  )
}

type PaymentFactsProps = { visit: StaffPayment; onRefund: (paymentId: string) => void }

/** The visit, each try to pay for it, and everything that happened. */
export function PaymentFacts({ visit, onRefund }: PaymentFactsProps) {
  return (
    <div className="flex flex-col gap-6">
      <Visit visit={visit} />
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
