import { createFileRoute } from '@tanstack/react-router'
import { type AuditAddress, auditInput } from '#app/features/audit/audit-address.ts'
import { AuditPage } from '#app/features/audit/audit-page.tsx'
import { mayHere } from '#app/parts/role-gate.tsx'

export const Route = createFileRoute('/_staff/admin-home/audit')({
  // Parsed by the page, which keeps the parser out of the initial bundle.
  validateSearch: (raw: AuditAddress) => raw,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    if (!mayHere(context, 'readAudit')) return
    void context.utils.audit.list.prefetch(auditInput(deps), { staleTime: 0 })
  },
  component: AuditScreen,
})

function AuditScreen() {
  return <AuditPage address={Route.useSearch()} />
}
