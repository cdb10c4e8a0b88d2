import { createFileRoute } from '@tanstack/react-router'
import { SuperUsersPage } from '#app/features/super-users/super-users-page.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'

export const Route = createFileRoute('/_staff/admin-home/superusers')({
  loader: ({ context }) => {
    whenStaff(
      context,
      ({ superUsers }) => void superUsers.list.prefetch(undefined, { staleTime: 0 }),
    )
  },
  component: SuperUsersPage,
})
