import { createFileRoute } from '@tanstack/react-router'
import { CalendarsPage } from '#app/features/availability/outside/calendars-page.tsx'
import { isKnownProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/doctor/availability/calendars')({
  loader: ({ context }) => {
    if (!isKnownProvider(context)) return
    void context.utils.availability.mine.prefetch()
    void context.utils.outsideCalendars.list.prefetch()
    void context.utils.imports.list.prefetch()
  },
  component: CalendarsPage,
})
