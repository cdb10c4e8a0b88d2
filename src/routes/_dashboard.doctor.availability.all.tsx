import { createFileRoute } from '@tanstack/react-router'
import { AvailabilityAllPage } from '#app/features/availability/overview/availability-all-page.tsx'
import { prefetchHours } from '#app/features/availability/own/own-hours.tsx'
import { whenProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/doctor/availability/all')({
  loader: ({ context }) => {
    whenProvider(context, (utils) => {
      void prefetchHours(utils)
      void utils.visits.inTimeOff.prefetch({})
    })
  },
  component: AvailabilityAllPage,
})
