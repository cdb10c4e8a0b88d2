import { createFileRoute } from '@tanstack/react-router'
import {
  type ProvidersSearch,
  readProvidersSearch,
} from '#app/features/verification/staff/providers-filters.tsx'
import { ProvidersPage } from '#app/features/verification/staff/providers-view.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'
import { isPublicList } from '#contract/verification-staff.ts'

export const Route = createFileRoute('/_staff/admin-home/providers/')({
  // Parsed by the page: parsed here, the filters at their defaults would be written into the URL too.
  validateSearch: (raw: ProvidersSearch) => raw,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const input = readProvidersSearch(deps)
    whenStaff(context, ({ verification }, may) => {
      if (may('verify')) void verification.queue.prefetch({})
      if (may('verify') || isPublicList(input.list)) void verification.providers.prefetch(input)
    })
  },
  component: ProvidersScreen,
})

function ProvidersScreen() {
  return <ProvidersPage address={Route.useSearch()} />
}
