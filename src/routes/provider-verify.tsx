import { createFileRoute } from '@tanstack/react-router'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'

export const Route = createFileRoute('/provider-verify')({
  staticData: { isBare: true },
  component: () => <DashboardHeading title="Verify your registration" />,
})
