import { createFileRoute } from '@tanstack/react-router'
import { PaymentsPage } from '#app/features/payments/staff/payments-page.tsx'
import type { StaffAddress } from '#app/features/payments/staff/staff-address.ts'

export const Route = createFileRoute('/_staff/admin-home/payments')({
  // Read by the page: what it takes to understand it stays out of the first script.
  validateSearch: (raw: StaffAddress) => raw,
  component: PaymentsScreen,
})

function PaymentsScreen() {
  return <PaymentsPage address={Route.useSearch()} />
}
