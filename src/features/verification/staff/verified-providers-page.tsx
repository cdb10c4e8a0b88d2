import { StaffHeading } from '#app/parts/staff-heading.tsx'
import { type ProvidersAddress, readAddress } from './providers-address.ts'
import { ProvidersView } from './providers-view.tsx'

/** `/admin-home/providers/verified`: the providers patients can find. */
export function VerifiedProvidersPage({ address }: { address: ProvidersAddress }) {
  return (
    <>
      <StaffHeading title="Verified providers" />
      <ProvidersView input={{ ...readAddress(address), list: 'verified' }} />
    </>
  )
}
