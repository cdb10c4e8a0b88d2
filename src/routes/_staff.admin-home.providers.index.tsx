import { createFileRoute } from '@tanstack/react-router'
import { ProvidersPage } from '#app/features/verification/staff/provider-pages.tsx'
import {
  type ProvidersAddress,
  readAddress,
} from '#app/features/verification/staff/providers-address.ts'
import { mayHere } from '#app/parts/role-gate.tsx'
import { isPublicList } from '#contract/verification-staff.ts'

export const Route = createFileRoute('/_staff/admin-home/providers/')({
  // Parsed by the page, which keeps the parser out of the initial bundle.
  validateSearch: (raw: ProvidersAddress) => raw,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const input = readAddress(deps)
    const isOpen = isPublicList(input.list) || mayHere(context, 'verify')
    if (isOpen && mayHere(context, null)) void context.utils.verification.providers.prefetch(input)
  },
  component: ProvidersScreen,
})

function ProvidersScreen() {
  return <ProvidersPage address={Route.useSearch()} />
}
