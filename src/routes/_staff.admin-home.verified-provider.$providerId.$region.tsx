import { createFileRoute } from '@tanstack/react-router'
import { VerifiedProviderPage } from '#app/features/verification/staff/verified-provider-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/verified-provider/$providerId/$region')({
  component: VerifiedProviderScreen,
})

function VerifiedProviderScreen() {
  return <VerifiedProviderPage {...Route.useParams()} />
}
