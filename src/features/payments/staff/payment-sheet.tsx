import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { useProofStep } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Sheet } from '#app/ui/dialog.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
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
  const { data, error, refetch } = trpc.payments.staffPayment.useQuery({ id })
  const [refunding, setRefunding] = useState<string | null>(null)
  const proof = useProofStep()
  const top = useRef<HTMLDivElement>(null)
  const seen = useRef(refunding)
  useEffect(() => {
    // What had focus is gone together with what it belonged to.
    if (seen.current !== refunding) top.current?.focus()
    seen.current = refunding
  }, [refunding])
  const payment = data?.payments.find((one) => one.id === refunding)
  const title = proof.isAsking
    ? 'Confirm that it is you'
    : payment === undefined
      ? 'Appointment'
      : 'Refund'
  const back = () => (proof.isAsking ? proof.end(false) : setRefunding(null))
  return (
    <Sheet
      isOpen
      title={title}
      onClose={() => (payment === undefined && !proof.isAsking ? onClose() : back())}
    >
      <div ref={top} tabIndex={-1} className="outline-none" />
      {data === undefined && error && (
        <NotThere error={error} onAgain={() => void refetch()} onClose={onClose} />
      )}
      {data === undefined && !error && <Coming />}
      {data && payment === undefined && <PaymentFacts visit={data} onRefund={setRefunding} />}
      {data && payment && (
        <ProofInPlace proof={proof} action="Confirm and refund">
          <Refunding
            visit={data}
            payment={payment}
            proof={proof}
            onEnd={() => setRefunding(null)}
          />
        </ProofInPlace>
      )}
    </Sheet>
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

type NotThereProps = { error: unknown; onAgain: () => void; onClose: () => void }

function NotThere({ error, onAgain, onClose }: NotThereProps) {
  const { code, sentence, reference } = describeFailure(error)
  const isGone = code === 'not_found' || code === 'invalid_input'
  return (
    <ErrorState
      title={isGone ? 'There is no such appointment' : 'The appointment did not load'}
      sentence={isGone ? 'The address may be wrong. The list is still here.' : sentence}
      reference={reference}
      actions={
        <Button onClick={isGone ? onClose : onAgain}>
          {isGone ? 'Back to the list' : 'Try again'}
        </Button>
      }
    />
  )
}

function Coming() {
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <Skeleton className="h-28" />
      <Skeleton className="h-40" />
      <Skeleton className="h-64" />
    </div>
  )
}
