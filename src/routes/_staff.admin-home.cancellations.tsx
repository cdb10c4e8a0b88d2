import { createFileRoute } from '@tanstack/react-router'
import { FlagsPage } from '#app/features/visits/flags-page.tsx'

// No loader: reading names is recorded, so the page alone fetches them, once. What a loader had fetched might be
// out of date when the page's code arrives, and be read and recorded again.
export const Route = createFileRoute('/_staff/admin-home/cancellations')({
  component: FlagsPage,
})
