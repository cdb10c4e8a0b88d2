import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/payments`: every payment. */
export function PaymentsPage() {
  return <StaffHeading title="Appointment History" />
}
