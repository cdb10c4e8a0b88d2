import { createFileRoute } from '@tanstack/react-router'
import { ClaimsPage } from '#app/features/outcomes/claims-page.tsx'

// No loader: reading what patients wrote is recorded, so the page alone fetches it, once. What a loader had
// fetched might be out of date when the page's code arrives, and be read and recorded again.
export const Route = createFileRoute('/_staff/admin-home/claims')({
  component: ClaimsPage,
})
