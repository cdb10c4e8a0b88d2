import { Link, useLocation } from '@tanstack/react-router'
import { ArrowLeft, Check, ChevronRight, Circle, Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { PhotoSection } from '#app/features/profiles/account/photo-section.tsx'
import { ProfilePage } from '#app/features/profiles/profile-page.tsx'
import { useHashInView } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { LeaveGuard } from '#app/parts/leave-guard.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { LinkButton, TextLink } from '#app/ui/button.tsx'
import { Badge, Notice } from '#app/ui/notice.tsx'
import { Card, Container, PendingShapes } from '#app/ui/page.tsx'
import type { OwnProfile } from '#contract/profiles-own.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { AboutPart, IdentityPart } from './about-part.tsx'
import { OfferPart } from './offer-part.tsx'
import { PlacesPart } from './places-part.tsx'
import { TypesPart } from './types-part.tsx'

/** `/doctor/profile`: all that patients see of a provider, edited in place. */
export function OwnProfilePage() {
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
          <Parts />
        </LeaveGuard>
      </DataBoundary>
    </DashboardHeading>
  )
}

function Parts() {
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

type Step = OwnProfile['steps'][number]

const stepLabels: Record<Step['key'], string> = {
  about: 'Say who you are and how you work',
  place: 'Add a practice place',
  hours: 'Set your hours',
  photo: 'Add a photo',
  verified: 'Have your registration checked',
}

const row =
  'flex min-h-11 items-center gap-3 rounded-field px-2 -mx-2 transition-colors duration-150'

function StepName({ step }: { step: Step }) {
  return (
    <span className="min-w-0 flex-1">
      {stepLabels[step.key]}
      {!step.isDone && !step.isRequired && <span className="text-muted"> (recommended)</span>}
    </span>
  )
}

function StepLink({ step }: { step: Step }) {
  const content = (
    <>
      <Circle aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <span className="sr-only">To do: </span>
      <StepName step={step} />
      <ChevronRight aria-hidden="true" className="size-4.5 text-muted" />
    </>
  )
  const linkClass = cx(row, 'font-medium text-brand-deep hover:bg-tint')
  if (step.key === 'hours') {
    return (
      <Link to="/doctor/availability/new" className={linkClass}>
        {content}
      </Link>
    )
  }
  if (step.key === 'verified') {
    return (
      <Link to="/provider-verify" className={linkClass}>
        {content}
      </Link>
    )
  }
  const part = step.key === 'place' ? 'places' : step.key
  return (
    <a href={`#${part}`} className={linkClass}>
      {content}
    </a>
  )
}

/** How much of the profile is complete, with a link to each remaining step. */
function Completeness({ profile }: { profile: OwnProfile }) {
  const { steps } = profile
  const done = steps.filter(({ isDone }) => isDone).length
  const percent = Math.round((done / steps.length) * 100)
  const isListed = steps.every(({ isDone, isRequired }) => isDone || !isRequired)
  return (
    <Card>
      <h2 className="text-lg font-semibold" id="completeness-title">
        {percent === 100 ? 'Your profile is complete' : `Your profile is ${percent}% complete`}
      </h2>
      <div
        role="progressbar"
        aria-labelledby="completeness-title"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="mt-3 h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-brand" style={{ width: `${percent}%` }} />
      </div>
      <p className="mt-3 text-muted">
        {isListed
          ? 'Patients can find you in search.'
          : 'Patients can find you once the required steps below are done.'}
      </p>
      <ul className="mt-3 flex flex-col">
        {steps.map((step) => (
          <li key={step.key}>
            {step.isDone ? (
              <div className={cx(row, 'text-muted')}>
                <Check aria-hidden="true" className="stroke-[2] size-5 shrink-0 text-ok" />
                <span className="sr-only">Done: </span>
                <StepName step={step} />
              </div>
            ) : (
              <StepLink step={step} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

type PreviewPageProps = {
  /** Renders the map of the locations, by another feature. */
  renderMap: (profile: ProviderProfile) => ReactNode
}

/** The provider's own page as patients see it, before and after it is public. */
export function PreviewPage(props: PreviewPageProps) {
  return (
    <DataBoundary
      failed="The preview didn’t load"
      renderFrame={(state) => (
        <>
          <Explanation />
          <Container className="pt-5">{state}</Container>
        </>
      )}
      pending={<PendingShapes shapes={['h-160']} />}
    >
      <Preview {...props} />
    </DataBoundary>
  )
}

function Preview({ renderMap }: PreviewPageProps) {
  const [profile] = trpc.search.preview.useSuspenseQuery()
  return (
    <>
      <Explanation />
      <ProfilePage
        profile={profile}
        distance={null}
        picker={
          <p className="text-muted">
            Patients choose one of your free times here.{' '}
            <TextLink to="/doctor/availability/all">See your availability</TextLink>
          </p>
        }
        contact={<p className="text-muted">Patients can write to you here.</p>}
        map={renderMap(profile)}
      />
    </>
  )
}

function Explanation() {
  return (
    <Container className="pt-5 md:pt-8">
      <Notice title="This is how patients see you">
        <p>The preview leaves out booking and messages.</p>
        <LinkButton variant="secondary" to="/doctor/profile" className="mt-3">
          <ArrowLeft aria-hidden="true" className="size-5" />
          Back to editing
        </LinkButton>
      </Notice>
    </Container>
  )
}
