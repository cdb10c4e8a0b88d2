import { createFileRoute } from '@tanstack/react-router'
import { ProviderPage } from '#app/features/verification/staff/providers-view.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/$providerId')({
  loader: ({ context, params }) => {
    whenStaff(context, ({ verification }, may) => {
      if (may('verify')) void verification.queue.prefetch(params)
      void verification.provider.prefetch(params)
    })
  },
  component: ProviderScreen,
})

function ProviderScreen() {
  return <ProviderPage {...Route.useParams()} />
}
