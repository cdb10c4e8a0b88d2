import { createFileRoute } from '@tanstack/react-router'
import { PaymentsPage } from '#app/features/payments/staff/payments-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/payments')({ component: PaymentsPage })
