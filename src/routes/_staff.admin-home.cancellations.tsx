import { createFileRoute } from '@tanstack/react-router'
import { FlagsPage } from '#app/features/visits/flags-page.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/cancellations')({
  // Reading names is recorded: not when a link is only hovered over.
  preload: false,
  loader: ({ context }) => {
    whenStaff(context, ({ visits }, may) => {
      if (may('seeNames')) void visits.flagged.prefetch()
    })
  },
  component: FlagsPage,
})
