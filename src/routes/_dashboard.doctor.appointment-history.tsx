import { createFileRoute } from '@tanstack/react-router'
import { HistoryPage } from '#app/features/payments/history-page.tsx'
import type { HistoryAddress } from '#app/parts/history-address.ts'

export const Route = createFileRoute('/_dashboard/doctor/appointment-history')({
  // Read by the page: what it takes to understand it stays out of the first script.
  validateSearch: (raw: HistoryAddress) => raw,
  component: HistoryScreen,
})

function HistoryScreen() {
  return <HistoryPage address={Route.useSearch()} />
}
