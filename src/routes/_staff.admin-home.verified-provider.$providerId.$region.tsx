import { createFileRoute } from '@tanstack/react-router'
import { VerifiedProviderPage } from '#app/features/verification/staff/provider-pages.tsx'
import { mayHere } from '#app/parts/role-gate.tsx'
import { Region } from '#contract/region.ts'

export const Route = createFileRoute('/_staff/admin-home/verified-provider/$providerId/$region')({
  loader: ({ context, params: { providerId, region } }) => {
    const known = Region.safeParse(region)
    if (!known.success || !mayHere(context, null)) return
    void context.utils.verification.provider.prefetch({ providerId, region: known.data })
  },
  component: VerifiedProviderScreen,
})

function VerifiedProviderScreen() {
  return <VerifiedProviderPage {...Route.useParams()} />
}
