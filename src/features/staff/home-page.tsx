import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home`: what needs doing. */
export function StaffHomePage() {
  return <StaffHeading title="Today" />
}
