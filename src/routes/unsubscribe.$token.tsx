import { createFileRoute } from '@tanstack/react-router'
import { UnsubscribePage } from '#app/features/reminders/unsubscribe-page.tsx'

export const Route = createFileRoute('/unsubscribe/$token')({
  staticData: { isBare: true },
  component: UnsubscribeScreen,
})

function UnsubscribeScreen() {
  return <UnsubscribePage {...Route.useParams()} />
}
