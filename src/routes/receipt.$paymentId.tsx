import { createFileRoute, redirect } from '@tanstack/react-router'
import { ReceiptPage } from '#app/features/payments/receipt-page.tsx'
import { signedInUser } from '#app/lib/session.ts'

// No loader: staff opening a receipt is recorded, so the page alone fetches it, once.
export const Route = createFileRoute('/receipt/$paymentId')({
  beforeLoad: ({ location }) => {
    if (signedInUser() !== null) return
    throw redirect({ to: '/sign-in', search: { next: location.href }, replace: true })
  },
  component: ReceiptScreen,
})

function ReceiptScreen() {
  return <ReceiptPage {...Route.useParams()} />
}
