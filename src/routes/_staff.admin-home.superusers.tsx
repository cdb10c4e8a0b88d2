import { createFileRoute } from '@tanstack/react-router'
import { SuperUsersPage } from '#app/features/super-users/super-users-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/superusers')({ component: SuperUsersPage })
