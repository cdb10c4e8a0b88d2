import { RoleReason } from '#app/parts/role-gate.tsx'
import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/audit`: who did what. */
export function AuditPage() {
  return (
    <>
      <StaffHeading title="Audit log" />
      <RoleReason act="readAudit" className="mt-4" />
    </>
  )
}
