import { createFileRoute } from '@tanstack/react-router'
import { VerifiedProvidersPage } from '#app/features/verification/staff/provider-pages.tsx'
import {
  type ProvidersAddress,
  readAddress,
} from '#app/features/verification/staff/providers-address.ts'
import { mayHere } from '#app/parts/role-gate.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/verified')({
  // Parsed by the page, which keeps the parser out of the initial bundle.
  validateSearch: (raw: ProvidersAddress) => raw,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    if (!mayHere(context, null)) return
    const input = { ...readAddress(deps), list: 'verified' } as const
    void context.utils.verification.providers.prefetch(input)
  },
  component: VerifiedScreen,
})

function VerifiedScreen() {
  return <VerifiedProvidersPage address={Route.useSearch()} />
}
