import { createFileRoute, redirect } from '@tanstack/react-router'
import { ReceiptPage } from '#app/features/payments/receipt-page.tsx'
import { signedInUser } from '#app/lib/session.ts'
import { whenSignedIn } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/receipt/$paymentId')({
  beforeLoad: ({ location }) => {
    if (signedInUser() !== null) return
    throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true })
  },
  loader: ({ context, params }) => {
    // Not for staff: their opening a receipt is recorded, so the page alone fetches it, once.
    whenSignedIn(context, (me) => {
      if (me.kind !== 'patient' || me.must_set_second_factor) return
      void context.utils.payments.receipt.prefetch(params)
    })
  },
  component: ReceiptScreen,
})

function ReceiptScreen() {
  return <ReceiptPage {...Route.useParams()} />
}
