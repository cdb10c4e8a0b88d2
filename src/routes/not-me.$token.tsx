import { createFileRoute } from '@tanstack/react-router'
import { StopMailPage } from '#app/features/messages/stop-mail-page.tsx'

export const Route = createFileRoute('/not-me/$token')({
  staticData: { isBare: true },
  component: StopMailScreen,
})

function StopMailScreen() {
  return <StopMailPage {...Route.useParams()} />
}
