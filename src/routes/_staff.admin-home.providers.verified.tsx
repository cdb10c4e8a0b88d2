import { createFileRoute } from '@tanstack/react-router'
import {
  type ProvidersSearch,
  readProvidersSearch,
} from '#app/features/verification/staff/providers-filters.tsx'
import { VerifiedProvidersPage } from '#app/features/verification/staff/providers-view.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/verified')({
  // Parsed by the page: parsed here, the filters at their defaults would be written into the URL too.
  validateSearch: (raw: ProvidersSearch) => raw,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const input = { ...readProvidersSearch(deps), list: 'verified' } as const
    whenStaff(context, ({ verification }, may) => {
      if (may('verify')) void verification.queue.prefetch({})
      void verification.providers.prefetch(input)
    })
  },
  component: VerifiedScreen,
})

function VerifiedScreen() {
  return <VerifiedProvidersPage address={Route.useSearch()} />
}
