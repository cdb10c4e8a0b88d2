import { createFileRoute } from '@tanstack/react-router'
import { StaffHomePage } from '#app/features/staff/home-page.tsx'

export const Route = createFileRoute('/_staff/admin-home/')({ component: StaffHomePage })
