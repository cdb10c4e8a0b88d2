import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/verified-provider/{providerId}/{region}`: a verified provider. */
export function VerifiedProviderPage() {
  return <StaffHeading title="Verified provider" />
}
