import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { LoadFailure, type LoadFailureProps } from '#app/parts/load-failure.tsx'
import { useProofStep } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Sheet } from '#app/ui/dialog.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PendingShapes } from '#app/ui/pending-shapes.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { StaffPayment } from '#contract/payments-staff.ts'
import { PaymentFacts } from './payment-facts.tsx'
import { ProofInPlace } from './proof-in-place.tsx'
import { RefundForm } from './refund-form.tsx'
import { usePaymentsChanged } from './use-payments-changed.ts'

type PaymentSheetProps = { id: string | null; onClose: () => void }

/** One appointment and its money beside the list; all of the screen on phones. */
export function PaymentSheet({ id, onClose }: PaymentSheetProps) {
  if (id === null) return null
  return <OpenSheet key={id} id={id} onClose={onClose} />
}

function OpenSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const [refunding, setRefunding] = useState<string | null>(null)
  const proof = useProofStep()
  const top = useRef<HTMLDivElement>(null)
  const seen = useRef(refunding)
  useEffect(() => {
    // What had focus is gone together with what it belonged to.
    if (seen.current !== refunding) top.current?.focus()
    seen.current = refunding
  }, [refunding])
  const isOverview = refunding === null
  const title = isOverview ? 'Appointment' : 'Refund'
  const back = () => (proof.isAsking ? proof.end(false) : setRefunding(null))
  return (
    <Sheet
      isOpen
      title={proof.isAsking ? 'Confirm that it is you' : title}
      onClose={() => (isOverview && !proof.isAsking ? onClose() : back())}
    >
      <div ref={top} tabIndex={-1} className="outline-none" />
      <DataBoundary
        failed="The appointment did not load"
        pending={
          <PendingShapes className="flex flex-col gap-4" shapes={['h-28', 'h-40', 'h-64']} />
        }
        renderFailure={(failure) => <NotThere {...failure} onClose={onClose} />}
      >
        <Opened id={id} proof={proof} refunding={refunding} onRefund={setRefunding} />
      </DataBoundary>
    </Sheet>
  )
}

type OpenedProps = {
  id: string
  proof: ReturnType<typeof useProofStep>
  /** The payment that is being refunded; null for the overview. */
  refunding: string | null
  onRefund: (paymentId: string | null) => void
}

function Opened({ id, proof, refunding, onRefund }: OpenedProps) {
  const [visit] = trpc.payments.staffPayment.useSuspenseQuery({ id })
  const payment = visit.payments.find((one) => one.id === refunding)
  if (payment === undefined) return <PaymentFacts visit={visit} onRefund={onRefund} />
  return (
    <ProofInPlace proof={proof} action="Confirm and refund">
      <Refunding visit={visit} payment={payment} proof={proof} onEnd={() => onRefund(null)} />
    </ProofInPlace>
  )
}

type RefundingProps = Pick<Parameters<typeof RefundForm>[0], 'payment' | 'proof'> & {
  visit: StaffPayment
  onEnd: () => void
}

function Refunding({ visit, payment, proof, onEnd }: RefundingProps) {
  const changed = usePaymentsChanged()
  return (
    <RefundForm
      visit={visit}
      payment={payment}
      proof={proof}
      onClose={onEnd}
      onRefunded={async (text) => {
        await changed()
        onEnd()
        void showToast(text)
      }}
    />
  )
}

type NotThereProps = LoadFailureProps & { onClose: () => void }

function NotThere({ onClose, ...failure }: NotThereProps) {
  const { code, reference } = describeFailure(failure.error)
  if (code !== 'not_found' && code !== 'invalid_input') return <LoadFailure {...failure} />
  return (
    <ErrorState
      title="There is no such appointment"
      sentence="The address may be wrong. The list is still here."
      reference={reference}
      actions={<Button onClick={onClose}>Back to the list</Button>}
    />
  )
}
