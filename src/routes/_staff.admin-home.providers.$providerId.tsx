import { createFileRoute } from '@tanstack/react-router'
import { ProviderPage } from '#app/features/verification/staff/provider-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/$providerId')({
  component: ProviderScreen,
})

function ProviderScreen() {
  return <ProviderPage {...Route.useParams()} />
}
