import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/superusers`: who works here and what they may do. */
export function SuperUsersPage() {
  return <StaffHeading title="Super Users" />
}
