import { createFileRoute } from '@tanstack/react-router'
import { ReturnPage } from '#app/features/payments/payment-outcome.tsx'
import { OpenMap } from '#app/features/search/places-map.tsx'

type ReturnSearch = { session_id?: string }

// No loader: reading the outcome makes the server ask the gateway and settle the payment, so only the open page
// does it, and decides itself how often.
export const Route = createFileRoute('/return')({
  validateSearch: ({ session_id }: Record<string, unknown>): ReturnSearch =>
    typeof session_id === 'string' && session_id !== '' ? { session_id } : {},
  component: ReturnScreen,
})

function ReturnScreen() {
  const { session_id } = Route.useSearch()
  return (
    <ReturnPage
      key={session_id}
      sessionId={session_id}
      renderMap={({ region, place }) => <OpenMap region={region} places={[place]} />}
    />
  )
}
