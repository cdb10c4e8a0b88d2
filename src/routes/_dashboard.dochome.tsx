import { createFileRoute } from '@tanstack/react-router'
import { DashboardHomePage } from '#app/features/dashboard/home-page.tsx'

export const Route = createFileRoute('/_dashboard/dochome')({ component: DashboardHomePage })
