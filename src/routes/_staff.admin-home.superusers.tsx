import { createFileRoute } from '@tanstack/react-router'
import { SuperUsersPage } from '#app/features/super-users/super-users-page.tsx'
import { mayHere } from '#app/parts/role-gate.tsx'

export const Route = createFileRoute('/_staff/admin-home/superusers')({
  loader: ({ context }) => {
    if (mayHere(context, null))
      void context.utils.superUsers.list.prefetch(undefined, { staleTime: 0 })
  },
  component: SuperUsersPage,
})
