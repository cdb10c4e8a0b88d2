import { createFileRoute } from '@tanstack/react-router'
import { CalendarsPage } from '#app/features/availability/outside/calendars-page.tsx'
import { whenProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/doctor/availability/calendars')({
  loader: ({ context }) => {
    whenProvider(context, ({ availability, imports, outsideCalendars }) => {
      void availability.mine.prefetch()
      void outsideCalendars.list.prefetch()
      void imports.list.prefetch()
    })
  },
  component: CalendarsPage,
})
