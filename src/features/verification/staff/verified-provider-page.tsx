import { StaffHeading } from '#app/parts/staff-heading.tsx'
import { Region } from '#contract/region.ts'
import { NoProvider, ProviderView } from './provider-view.tsx'

type VerifiedProviderPageProps = { providerId: string; region: string }

/**
 * `/admin-home/verified-provider/{providerId}/{region}`: a verified provider. The region is a hint:
 * under another one nobody is found, and under none that there is neither.
 */
export function VerifiedProviderPage({ providerId, region }: VerifiedProviderPageProps) {
  const known = Region.safeParse(region)
  if (!known.success) {
    return (
      <>
        <StaffHeading title="Provider" />
        <NoProvider />
      </>
    )
  }
  return <ProviderView providerId={providerId} region={known.data} isInVerified />
}
