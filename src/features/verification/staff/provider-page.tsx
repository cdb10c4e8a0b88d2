import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/providers/{providerId}`: what a provider claims and what the register says. */
export function ProviderPage() {
  return <StaffHeading title="Provider" />
}
