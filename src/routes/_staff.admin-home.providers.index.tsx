import { createFileRoute } from '@tanstack/react-router'
import type { ProvidersAddress } from '#app/features/verification/staff/providers-address.ts'
import { ProvidersPage } from '#app/features/verification/staff/providers-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/')({
  // Read by the page: what it takes to understand it stays out of the first script.
  validateSearch: (raw: ProvidersAddress) => raw,
  component: ProvidersScreen,
})

function ProvidersScreen() {
  return <ProvidersPage address={Route.useSearch()} />
}
