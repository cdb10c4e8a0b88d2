import { createFileRoute } from '@tanstack/react-router'
import { ClaimsPage } from '#app/features/outcomes/claims-page.tsx'

// No loader: reading what patients wrote is written down, so it is asked for once, by the page.
export const Route = createFileRoute('/_staff/admin-home/claims')({
  component: ClaimsPage,
})
