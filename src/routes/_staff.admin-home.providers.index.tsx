import { createFileRoute } from '@tanstack/react-router'
import { ProvidersPage } from '#app/features/verification/staff/providers-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/providers/')({ component: ProvidersPage })
