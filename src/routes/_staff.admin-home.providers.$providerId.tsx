import { createFileRoute } from '@tanstack/react-router'
import { ProviderPage } from '#app/features/verification/staff/provider-pages.tsx'
import { mayHere } from '#app/parts/role-gate.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/$providerId')({
  loader: ({ context, params }) => {
    if (mayHere(context, null)) void context.utils.verification.provider.prefetch(params)
  },
  component: ProviderScreen,
})

function ProviderScreen() {
  return <ProviderPage {...Route.useParams()} />
}
