import { createFileRoute } from '@tanstack/react-router'
import { SuperUsersPage } from '#app/features/super-users/super-users-page.tsx'
import { isStaffAllowed } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/superusers')({
  loader: ({ context }) => {
    if (isStaffAllowed(context, null))
      void context.utils.superUsers.list.prefetch(undefined, { staleTime: 0 })
  },
  component: SuperUsersPage,
})
