import { useMutation } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { formatExactMoney } from '#contract/money.ts'
import { CardDialog } from './card-dialog.tsx'
import { payInputOf, priceOf } from './pay-input.ts'
import type { PaymentSlot } from './payment-slot.ts'
import { tellCheckout } from './refusals.ts'
import { cardMessage, NO_SECRET } from './words.ts'

class NoSecretError extends Error {
  override readonly name = 'NoSecretError'
}

/** Paying by card: one button, and the gateway's own form in a dialog. */
export function CardPayment(slot: PaymentSlot) {
  const { hold } = slot
  const { client } = trpc.useUtils()
  const [isOpen, setIsOpen] = useState(false)
  const start = useMutation({
    mutationFn: async () => {
      const answer = await client.payments.startCard.mutate(payInputOf(hold))
      if (!answer.clientSecret) throw new NoSecretError(NO_SECRET)
      return answer
    },
    onError: (error) => {
      // The dialog closes, and what went wrong is said on the page.
      setIsOpen(false)
      tellCheckout(describeFailure(error), slot)
    },
  })
  const price = formatExactMoney(priceOf(hold))
  return (
    <>
      {start.error && !isOpen && (
        <Notice kind="danger" role="alert">
          <p className="font-semibold">
            {start.error instanceof NoSecretError
              ? start.error.message
              : cardMessage(describeFailure(start.error))}
          </p>
        </Notice>
      )}
      <Button
        size="large"
        className="w-full max-w-form"
        onClick={() => {
          setIsOpen(true)
          start.mutate()
        }}
      >
        <Lock aria-hidden="true" strokeWidth={1.75} className="size-5" />
        Pay {price} by card
      </Button>
      <CardDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Pay ${price} by card`}
        clientSecret={start.data?.clientSecret ?? null}
        holdUntil={hold.holdUntil}
      />
    </>
  )
}
