import { createFileRoute } from '@tanstack/react-router'
import { FlagsPage } from '#app/features/visits/flags-page.tsx'

// No loader: reading names is recorded, so the page alone fetches them, once.
export const Route = createFileRoute('/_staff/admin-home/cancellations')({
  component: FlagsPage,
})
