import { createFileRoute } from '@tanstack/react-router'
import { FailedMailPage } from '#app/features/messages/failed-mail-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/mail')({ component: FailedMailPage })
