import { createFileRoute } from '@tanstack/react-router'
import type { ProvidersAddress } from '#app/features/verification/staff/providers-address.ts'
import { VerifiedProvidersPage } from '#app/features/verification/staff/verified-providers-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/verified')({
  // Read by the page: what it takes to understand it stays out of the first script.
  validateSearch: (raw: ProvidersAddress) => raw,
  component: VerifiedScreen,
})

function VerifiedScreen() {
  return <VerifiedProvidersPage address={Route.useSearch()} />
}
