import { createFileRoute } from '@tanstack/react-router'
import { DaySheetPage } from '#app/features/dashboard/day-sheet-page.tsx'
import { whenProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/doctor/day-sheet')({
  loader: ({ context }) => {
    whenProvider(context, ({ booking }) => void booking.today.prefetch())
  },
  component: DaySheetPage,
})
