import { createFileRoute } from '@tanstack/react-router'
import { DaySheetPage } from '#app/features/dashboard/day-sheet-page.tsx'
import { isKnownProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/doctor/day-sheet')({
  loader: ({ context }) => {
    if (isKnownProvider(context)) void context.utils.booking.today.prefetch()
  },
  component: DaySheetPage,
})
