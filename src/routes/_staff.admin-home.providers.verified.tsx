import { createFileRoute } from '@tanstack/react-router'
import {
  type ProvidersSearch,
  readProvidersSearch,
} from '#app/features/verification/staff/providers-filters.tsx'
import { VerifiedProvidersPage } from '#app/features/verification/staff/providers-view.tsx'
import { isStaffAllowed } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/verified')({
  // Parsed by the page, which keeps the parser out of the initial bundle.
  validateSearch: (raw: ProvidersSearch) => raw,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    if (!isStaffAllowed(context, null)) return
    const input = { ...readProvidersSearch(deps), list: 'verified' } as const
    void context.utils.verification.providers.prefetch(input)
  },
  component: VerifiedScreen,
})

function VerifiedScreen() {
  return <VerifiedProvidersPage address={Route.useSearch()} />
}
