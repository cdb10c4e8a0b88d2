import { createFileRoute } from '@tanstack/react-router'
import { StaffShell } from '#app/features/staff/staff-shell.tsx'
import { staffOnly } from '#app/lib/route-guards.ts'
import { prefetchMe } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_staff')({
  staticData: { isFramed: true },
  beforeLoad: staffOnly,
  loader: ({ context }) => prefetchMe(context),
  component: StaffShell,
})
