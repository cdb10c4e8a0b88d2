import { createFileRoute } from '@tanstack/react-router'
import { ClaimsPage } from '#app/features/outcomes/claims-page.tsx'

// No loader: reading what patients wrote is recorded, so the page alone fetches it, once.
export const Route = createFileRoute('/_staff/admin-home/claims')({
  component: ClaimsPage,
})
