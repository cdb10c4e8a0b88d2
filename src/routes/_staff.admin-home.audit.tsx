import { createFileRoute } from '@tanstack/react-router'
import type { AuditAddress } from '#app/features/audit/audit-address.ts'
import { AuditPage } from '#app/features/audit/audit-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/audit')({
  // Read by the page: what it takes to understand it stays out of the first script.
  validateSearch: (raw: AuditAddress) => raw,
  component: AuditScreen,
})

function AuditScreen() {
  return <AuditPage address={Route.useSearch()} />
}
