import { createFileRoute } from '@tanstack/react-router'
import { DashboardShell } from '#app/features/dashboard/dashboard-shell.tsx'
import { providersOnly } from '#app/lib/route-guards.ts'
import { prefetchMe } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard')({
  beforeLoad: providersOnly,
  loader: ({ context }) => prefetchMe(context),
  component: DashboardShell,
})
