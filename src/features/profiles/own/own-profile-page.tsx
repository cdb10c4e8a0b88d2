import { useLocation } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHashInView } from '#app/lib/browser-hooks.ts'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { LeaveGuard } from '#app/parts/leave-guard.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { LinkButton, TextLink } from '#app/ui/button.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { Me } from '#contract/auth.ts'
import { AboutPart, IdentityPart } from './about-part.tsx'
import { Completeness } from './completeness.tsx'
import { OfferPart } from './offer-part.tsx'
import { PlacesPart } from './places-part.tsx'
import { TypesPart } from './types-part.tsx'

/** The photo belongs to the account, another feature. */
type OwnProfilePageProps = { renderPhoto: (me: Me) => ReactNode }

/** `/doctor/profile`: all that patients see of a provider, edited in place. */
export function OwnProfilePage(props: OwnProfilePageProps) {
  return (
    <DashboardHeading title="Profile">
      <DataBoundary
        failed="Your profile didn’t load"
        pending={
          <PendingShapes
            className="mt-6 flex max-w-176 flex-col gap-6"
            shapes={['h-48', 'h-64', 'h-64']}
          />
        }
      >
        <LeaveGuard>
          <Parts {...props} />
        </LeaveGuard>
      </DataBoundary>
    </DashboardHeading>
  )
}

function Parts({ renderPhoto }: OwnProfilePageProps) {
  const [profile] = trpc.profiles.own.useSuspenseQuery()
  useHashInView(useLocation({ select: ({ hash }) => hash }))
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
            {me && renderPhoto(me)}
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
