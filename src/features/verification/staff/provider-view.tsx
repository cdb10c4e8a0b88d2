import { describeFailure } from '#app/lib/errors.ts'
import { StaffHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary, LoadFailure, type LoadFailureProps } from '#app/parts/data-boundary.tsx'
import { RoleReason } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton, TextLink } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Breadcrumb } from '#app/ui/page-title.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import type { ProviderId } from '#contract/ids.ts'
import type { Region } from '#contract/region.ts'
import type {
  StaffProvider,
  StaffProviderInput,
  VerificationQueue,
} from '#contract/verification-staff.ts'
import { CompanyPart } from './company-part.tsx'
import { DecisionPart } from './decision-part.tsx'
import { HistoryPart } from './history-part.tsx'
import { ProfilePart, StatusBadge } from './profile-part.tsx'
import { ProofPart } from './proof-part.tsx'
import { QueueBar } from './queue-bar.tsx'
import { RegisterPart } from './register-part.tsx'
import { freshOptions, useQueue } from './use-provider.ts'

/** Shown if there is no such provider. */
export function NoProvider() {
  return (
    <div className="mt-6">
      <EmptyState
        title="No such provider"
        actions={<LinkButton to="/admin-home/providers">All providers</LinkButton>}
      >
        <p>They may have deleted their account, or the link is for another region.</p>
      </EmptyState>
    </div>
  )
}

/** No such provider, or a failed request: either way there is a way on. */
function notThere(failure: LoadFailureProps) {
  const { code } = describeFailure(failure.error)
  if (code === 'not_found' || code === 'invalid_input') return <NoProvider />
  return (
    <div className="mt-6">
      <LoadFailure {...failure} />
    </div>
  )
}

/** The public registration, for roles that do not verify, and why the rest is hidden. */
function PublicPart({ provider }: { provider: StaffProvider }) {
  const { professional_body_name: body, membership_number: number } = provider
  return (
    <Card>
      <section aria-labelledby="register">
        <h2 id="register" className="text-xl font-semibold">
          Registration
        </h2>
        <p className="mt-2">
          {body}, <span className="tabular">{number ?? 'number not public'}</span>
        </p>
        <RoleReason act="verify" className="mt-4" />
      </section>
    </Card>
  )
}

type LoadedProps = { input: StaffProviderInput; queue: VerificationQueue | undefined }

function Loaded({ input, queue }: LoadedProps) {
  const [provider] = trpc.verification.provider.useSuspenseQuery(input, freshOptions)
  const { evidence } = provider
  return (
    <div className="mt-6 grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-6">
        {evidence === null ? (
          <PublicPart provider={provider} />
        ) : (
          <>
            <RegisterPart provider={provider} evidence={evidence} />
            <ProofPart providerId={provider.providerId} evidence={evidence} />
            <DecisionPart provider={provider} evidence={evidence} queue={queue} />
            <CompanyPart companies={evidence.companies} />
            <HistoryPart evidence={evidence} />
          </>
        )}
      </div>
      <ProfilePart provider={provider} />
    </div>
  )
}

/** The line below the name: status, specialty and locality. */
function Lead({ provider }: { provider: StaffProvider }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={provider.verification_status} />
      {[provider.specialty, provider.locality].filter(Boolean).join(', ')}
    </span>
  )
}

type ProviderViewProps = { providerId: ProviderId; region?: Region; isInVerified?: boolean }

/** A provider as staff see them: claim and register side by side, the decision, company and evidence. */
export function ProviderView({ providerId, region, isInVerified = false }: ProviderViewProps) {
  const input = { providerId, ...(region && { region }) }
  // For the heading, which renders before the rest and stays from one provider to the next.
  const { data } = trpc.verification.provider.useQuery(input, freshOptions)
  const { data: queue } = useQueue(providerId)
  return (
    <>
      <div className="mb-4">
        <Breadcrumb
          trail={[
            <TextLink key="all" to="/admin-home/providers">
              Providers
            </TextLink>,
            ...(isInVerified
              ? [
                  <TextLink key="verified" to="/admin-home/providers/verified">
                    Verified
                  </TextLink>,
                ]
              : []),
          ]}
          current={data?.name ?? 'Provider'}
        />
      </div>
      {!isInVerified && <QueueBar queue={queue} />}
      {/* One heading for all providers of the queue, so that it keeps focus from one to the next. */}
      <StaffHeading title={data?.name ?? 'Provider'} lead={data && <Lead provider={data} />} />
      <DataBoundary
        failed="This page did not load"
        renderFailure={notThere}
        pending={<PendingShapes className="mt-6 flex flex-col gap-6" shapes={['h-80', 'h-40']} />}
      >
        <Loaded key={providerId} input={input} queue={queue} />
      </DataBoundary>
    </>
  )
}
