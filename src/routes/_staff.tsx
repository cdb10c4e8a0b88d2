import { createFileRoute } from '@tanstack/react-router'
import { StaffShell } from '#app/features/staff/staff-shell.tsx'
import { staffOnly } from '#app/lib/staff-only.ts'

export const Route = createFileRoute('/_staff')({
  staticData: { isFramed: true },
  beforeLoad: staffOnly,
  component: StaffShell,
})
