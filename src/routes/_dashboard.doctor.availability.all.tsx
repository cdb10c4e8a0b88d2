import { createFileRoute } from '@tanstack/react-router'
import { AvailabilityAllPage } from '#app/features/availability/overview/availability-all-page.tsx'

export const Route = createFileRoute('/_dashboard/doctor/availability/all')({
  component: AvailabilityAllPage,
})
