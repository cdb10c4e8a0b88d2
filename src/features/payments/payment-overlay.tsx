import { CircleCheck } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Spinner } from '#app/ui/skeleton.tsx'
import type { WalletPhase } from './wallet-payment.tsx'

type PaymentOverlayProps = { phase: WalletPhase; onDismiss: () => void; onGo: () => void }

/** 'Processing Payment', then 'Payment Successful!'; can be dismissed without waiting. */
export function PaymentOverlay({ phase, onDismiss, onGo }: PaymentOverlayProps) {
  const isPaid = phase === 'paid'
  return (
    <Dialog
      isOpen={isPaid || phase === 'processing'}
      onClose={onDismiss}
      title={isPaid ? 'Payment Successful!' : 'Processing Payment'}
      footer={
        <Button variant={isPaid ? 'primary' : 'secondary'} onClick={isPaid ? onGo : onDismiss}>
          {isPaid ? 'See your visit' : 'Carry on without waiting'}
        </Button>
      }
    >
      <div className="flex items-center gap-4 py-4">
        {isPaid ? (
          <CircleCheck aria-hidden="true" className="size-12 shrink-0 text-ok" />
        ) : (
          <span className="shrink-0 text-[2.5rem] leading-none text-brand">
            <Spinner />
          </span>
        )}
        <p role="status">
          {isPaid
            ? 'Taking you to your visit…'
            : 'This takes a few seconds. Don’t pay again. If you leave, we’ll email you once it goes through.'}
        </p>
      </div>
    </Dialog>
  )
}
