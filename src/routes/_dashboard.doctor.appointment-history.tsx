import { createFileRoute } from '@tanstack/react-router'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'

export const Route = createFileRoute('/_dashboard/doctor/appointment-history')({
  component: () => <DashboardHeading title="Booked History" />,
})
