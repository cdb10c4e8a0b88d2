import { createFileRoute } from '@tanstack/react-router'
import { type AuditSearch, auditInput } from '#app/features/audit/audit-filters.tsx'
import { AuditPage } from '#app/features/audit/audit-page.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/audit')({
  // Parsed by the page: invalid values that a parser here left out the router would pass on all the same.
  validateSearch: (raw: AuditSearch) => raw,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    whenStaff(context, ({ audit }, may) => {
      if (may('readAudit')) void audit.list.prefetch(auditInput(deps), { staleTime: 0 })
    })
  },
  component: AuditScreen,
})

function AuditScreen() {
  return <AuditPage address={Route.useSearch()} />
}
