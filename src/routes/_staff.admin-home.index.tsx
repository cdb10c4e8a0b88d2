import { createFileRoute } from '@tanstack/react-router'
import { StaffHomePage } from '#app/features/staff/home-page.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/')({
  loader: ({ context }) => {
    whenStaff(context, ({ messages, outcomes, payments, verification, visits }) => {
      void verification.counts.prefetch()
      void payments.reviewCount.prefetch()
      void messages.failedCount.prefetch()
      void payments.incomeByDay.prefetch()
      void outcomes.claimCount.prefetch()
      void visits.flagCount.prefetch()
    })
  },
  component: StaffHomePage,
})
