import { createFileRoute } from '@tanstack/react-router'
import { ClaimsPage } from '#app/features/outcomes/claims-page.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/claims')({
  // Reading what patients wrote is recorded: not when a link is only hovered over.
  preload: false,
  loader: ({ context }) => {
    whenStaff(context, ({ outcomes }, may) => {
      if (may('decideClaims')) void outcomes.claims.prefetch()
    })
  },
  component: ClaimsPage,
})
