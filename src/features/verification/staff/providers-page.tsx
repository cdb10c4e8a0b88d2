import { useWhyNot } from '#app/parts/role-gate.tsx'
import { StaffHeading } from '#app/parts/staff-heading.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton } from '#app/ui/link-button.tsx'
import { type ProvidersAddress, readAddress } from './providers-address.ts'
import { ProvidersView } from './providers-view.tsx'

/** Leads to whoever comes first in the queue; nothing while nobody waits. */
function WorkThrough() {
  const isBarred = useWhyNot('verify') !== null
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
export function ProvidersPage({ address }: { address: ProvidersAddress }) {
  return (
    <>
      <StaffHeading title="Providers" aside={<WorkThrough />} />
      <ProvidersView input={readAddress(address)} />
    </>
  )
}
