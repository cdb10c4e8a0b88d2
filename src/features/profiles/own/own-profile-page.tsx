import { Eye } from 'lucide-react'
import { PhotoSection } from '#app/features/profiles/account/photo-section.tsx'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Badge } from '#app/ui/badge.tsx'
import { LinkButton, TextLink } from '#app/ui/button.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import { AboutPart } from './about-part.tsx'
import { Completeness } from './completeness.tsx'
import { IdentityPart } from './identity-part.tsx'
import { OfferPart } from './offer-part.tsx'
import { PlacesPart } from './places-part.tsx'
import { TypesPart } from './types-part.tsx'

/** `/doctor/profile`: all that patients see of a provider, edited in place. */
export function OwnProfilePage() {
  return (
    <DashboardHeading title="Profile">
      <DataBoundary
        failed="Your profile did not load"
        pending={
          <PendingShapes
            className="mt-6 flex max-w-176 flex-col gap-6"
            shapes={['h-48', 'h-64', 'h-64']}
          />
        }
      >
        <Parts />
      </DataBoundary>
    </DashboardHeading>
  )
}

function Parts() {
  const [profile] = trpc.profiles.own.useSuspenseQuery()
  const { data: me } = useMe()
  const isVerified = profile.verification_status === 'Verified'
  return (
    <>
      <div className="mt-2 mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-lg">
          <span className="wrap-anywhere">{profile.shownName}</span>
          <Badge tone={isVerified ? 'ok' : 'plain'}>{profile.verification_status}</Badge>
        </p>
        <LinkButton variant="secondary" to="/doctor/profile" search={{ view: 'preview' }}>
          <Eye aria-hidden="true" className="size-5" />
          See it as patients do
        </LinkButton>
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="xl:sticky xl:top-6 xl:order-2">
          <Completeness profile={profile} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <IdentityPart profile={profile} />
          <div className="rounded-card border border-line bg-surface p-4 sm:p-6">
            {me && <PhotoSection me={me} />}
          </div>
          <AboutPart profile={profile} />
          <OfferPart profile={profile} />
          <TypesPart profile={profile} />
          <PlacesPart profile={profile} />
          <p className="text-muted">
            Email, password, calendar links, devices and your data are in{' '}
            <TextLink to="/userProfile">your account</TextLink>.
          </p>
        </div>
      </div>
    </>
  )
}
