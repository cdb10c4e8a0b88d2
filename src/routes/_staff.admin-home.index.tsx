import { createFileRoute } from '@tanstack/react-router'
import { StaffHomePage } from '#app/features/staff/home-page.tsx'
import { isStaffAllowed } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/')({
  loader: ({ context }) => {
    if (!isStaffAllowed(context, null)) return
    void context.utils.verification.counts.prefetch()
    void context.utils.payments.reviewCount.prefetch()
    void context.utils.messages.failedCount.prefetch()
    void context.utils.payments.incomeByDay.prefetch()
    void context.utils.outcomes.claimCount.prefetch()
    void context.utils.visits.flagCount.prefetch()
  },
  component: StaffHomePage,
})
