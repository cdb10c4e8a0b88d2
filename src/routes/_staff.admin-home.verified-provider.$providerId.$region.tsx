import { createFileRoute } from '@tanstack/react-router'
import { VerifiedProviderPage } from '#app/features/verification/staff/providers-view.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'
import { Region } from '#contract/base/region.ts'

export const Route = createFileRoute('/_staff/admin-home/verified-provider/$providerId/$region')({
  loader: ({ context, params: { providerId, region } }) => {
    const known = Region.safeParse(region)
    if (!known.success) return
    whenStaff(context, ({ verification }, may) => {
      if (may('verify')) void verification.queue.prefetch({ providerId })
      void verification.provider.prefetch({ providerId, region: known.data })
    })
  },
  component: VerifiedProviderScreen,
})

function VerifiedProviderScreen() {
  return <VerifiedProviderPage {...Route.useParams()} />
}
