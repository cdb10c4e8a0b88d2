import { createFileRoute } from '@tanstack/react-router'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'

export const Route = createFileRoute('/_dashboard/doctor/bank-account')({
  staticData: { isBare: true },
  component: () => <DashboardHeading title="Your Bank Accounts" />,
})
