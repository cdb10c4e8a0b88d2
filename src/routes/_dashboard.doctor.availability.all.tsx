import { createFileRoute } from '@tanstack/react-router'
import { AvailabilityAllPage } from '#app/features/availability/overview/availability-all-page.tsx'
import { isKnownProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/doctor/availability/all')({
  loader: ({ context }) => {
    if (!isKnownProvider(context)) return
    void context.utils.availability.mine.prefetch()
  },
  component: AvailabilityAllPage,
})
