import { createFileRoute } from '@tanstack/react-router'
import { FlagsPage } from '#app/features/visits/flags-page.tsx'

// No loader: reading names is written down, so it is asked for once, by the page.
export const Route = createFileRoute('/_staff/admin-home/cancellations')({
  component: FlagsPage,
})
