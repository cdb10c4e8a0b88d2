import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/mail`: letters that could not be delivered. */
export function FailedMailPage() {
  return <StaffHeading title="Failed mail" />
}
