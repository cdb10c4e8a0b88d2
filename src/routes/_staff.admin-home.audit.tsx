import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '#app/features/audit/audit-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/audit')({ component: AuditPage })
