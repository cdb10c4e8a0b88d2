import { StaffHeading } from '#app/parts/staff-heading.tsx'

/** `/admin-home/providers`: all providers. */
export function ProvidersPage() {
  return <StaffHeading title="Providers" />
}
