import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/providers/verified`: the providers patients can find. */
export function VerifiedProvidersPage() {
  return <StaffHeading title="Verified providers" />
}
