import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { PhotoSection } from '#app/features/profiles/account/photo-section.tsx'
import { describeFailure } from '#app/lib/errors.ts'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TextLink } from '#app/ui/text-link.tsx'
import type { OwnProfile } from '#contract/profiles-own.ts'
import { AboutPart } from './about-part.tsx'
import { Completeness } from './completeness.tsx'
import { IdentityPart } from './identity-part.tsx'
import { OfferPart } from './offer-part.tsx'
import { PlacesPart } from './places-part.tsx'
import { useOwnProfile } from './use-own-profile.ts'

function Frame({ children }: { children: ReactNode }) {
  return <DashboardHeading title="Profile">{children}</DashboardHeading>
}

/** `/doctor/profile`: everything patients see of a provider, edited where it stands. */
export function OwnProfilePage() {
  const { data, error, refetch } = useOwnProfile()
  if (data === undefined && error) {
    const { sentence, reference } = describeFailure(error)
    return (
      <Frame>
        <ErrorState
          title="Your profile did not load"
          sentence={sentence}
          reference={reference}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Frame>
    )
  }
  return <Frame>{data === undefined ? <Waiting /> : <Parts profile={data} />}</Frame>
}

function Waiting() {
  return (
    <div aria-busy="true" className="mt-6 flex max-w-176 flex-col gap-6">
      <Skeleton className="h-48" />
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
    </div>
  )
}

function Parts({ profile }: { profile: OwnProfile }) {
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
          <Eye aria-hidden="true" strokeWidth={1.75} className="size-5" />
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
          <PlacesPart profile={profile} />
          <p className="text-muted">
            Email, password, devices and your data are in{' '}
            <TextLink to="/userProfile">your account</TextLink>.
          </p>
        </div>
      </div>
    </>
  )
}
