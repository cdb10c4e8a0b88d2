import { createFileRoute } from '@tanstack/react-router'
import { VerifiedProvidersPage } from '#app/features/verification/staff/verified-providers-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/verified')({
  component: VerifiedProvidersPage,
})
