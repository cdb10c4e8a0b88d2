import { createFileRoute } from '@tanstack/react-router'
import { DashboardHomePage } from '#app/features/dashboard/home-page.tsx'
import { isProviderHere } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/dochome')({
  loader: ({ context }) => {
    if (!isProviderHere(context)) return
    void context.utils.booking.today.prefetch()
    void context.utils.payments.earnings.prefetch()
    void context.utils.profiles.own.prefetch()
    void context.utils.verification.mine.prefetch({})
  },
  component: DashboardHomePage,
})
