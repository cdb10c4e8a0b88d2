import { Suspense } from 'react'
import { late } from '#app/lib/late-code.ts'
import { cancellationSentence, missedSentence } from '#app/lib/visit-text.ts'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { CardPayment } from './card-payment.tsx'
import type { PaymentSlot } from './payment-messages.ts'

const WalletPayment = late(async () => (await import('./wallet-payment.tsx')).WalletPayment)

/** The alternative to each payment method. */
const alternatives = {
  stripe: { method: 'paypal', label: 'Pay with PayPal instead' },
  paypal: { method: 'stripe', label: 'Pay by card instead' },
} as const

/** Payment by the method chosen in the first step. */
export function PaymentPanel(slot: PaymentSlot) {
  const { paymentMethod, typeOfVisit, fees } = slot.hold
  const other = alternatives[paymentMethod]
  return (
    <section aria-labelledby="payment" className="flex flex-col gap-4">
      <h2 id="payment" className="text-xl font-semibold">
        Payment
      </h2>
      {paymentMethod === 'stripe' ? (
        <CardPayment {...slot} />
      ) : (
        <Suspense fallback={<Skeleton className="h-13 w-full max-w-form" />}>
          <WalletPayment {...slot} />
        </Suspense>
      )}
      <div>
        <Button
          variant="quiet"
          className="-mx-4"
          disabled={slot.isPaying}
          onClick={() => slot.onMethod(other.method)}
        >
          {other.label}
        </Button>
      </div>
      <p className="text-sm text-muted">
        {cancellationSentence(slot.hold, typeOfVisit, fees[typeOfVisit])}{' '}
        {missedSentence(slot.hold, fees[typeOfVisit])}
      </p>
    </section>
  )
}
