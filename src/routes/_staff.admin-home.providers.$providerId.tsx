import { createFileRoute } from '@tanstack/react-router'
import { ProviderPage } from '#app/features/verification/staff/providers-view.tsx'
import { isStaffAllowed } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/$providerId')({
  loader: ({ context, params }) => {
    if (isStaffAllowed(context, null)) void context.utils.verification.provider.prefetch(params)
  },
  component: ProviderScreen,
})

function ProviderScreen() {
  return <ProviderPage {...Route.useParams()} />
}
