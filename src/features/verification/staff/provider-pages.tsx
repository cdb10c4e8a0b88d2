import { StaffHeading } from '#app/parts/dashboard-heading.tsx'
import { useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Region } from '#contract/region.ts'
import { NoProvider, ProviderView } from './provider-view.tsx'
import { type ProvidersSearch, readProvidersSearch } from './providers-search.ts'
import { ProvidersView } from './providers-view.tsx'

/** `/admin-home/providers/{providerId}`: a provider's claim and the register's entry. */
export function ProviderPage({ providerId }: { providerId: string }) {
  return <ProviderView providerId={providerId} />
}

type VerifiedProviderPageProps = { providerId: string; region: string }

/**
 * `/admin-home/verified-provider/{providerId}/{region}`: a verified provider. A region other than the
 * provider's, or an invalid one, shows that no provider was found.
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

/** Links to the first provider in the queue; nothing if it is empty. */
function StartQueueLink() {
  const isBarred = useStaffRefusal('verify') !== null
  const { data } = trpc.verification.queue.useQuery({}, { enabled: !isBarred })
  if (!data?.next) return null
  return (
    <LinkButton
      to="/admin-home/providers/$providerId"
      params={{ providerId: data.next.providerId }}
    >
      Work through the queue
    </LinkButton>
  )
}

/** `/admin-home/providers`: all providers, or one of the lists. */
export function ProvidersPage({ address }: { address: ProvidersSearch }) {
  return (
    <>
      <StaffHeading title="Providers" aside={<StartQueueLink />} />
      <ProvidersView input={readProvidersSearch(address)} />
    </>
  )
}

/** `/admin-home/providers/verified`: the providers patients can find. */
export function VerifiedProvidersPage({ address }: { address: ProvidersSearch }) {
  return (
    <>
      <StaffHeading title="Verified providers" />
      <ProvidersView input={{ ...readProvidersSearch(address), list: 'verified' }} />
    </>
  )
}
