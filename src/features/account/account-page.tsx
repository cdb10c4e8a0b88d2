import { Link, Navigate, useHydrated, useLocation } from '@tanstack/react-router'
import { CircleUser, LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHashInView } from '#app/lib/browser-hooks.ts'
import { startPage } from '#app/lib/route-guards.ts'
import { mustSetUp, useSignedInUser, wasProvider } from '#app/lib/session.ts'
import { UserBoundary } from '#app/parts/data-boundary.tsx'
import { LeaveGuard } from '#app/parts/leave-guard.tsx'
import { MessagePage } from '#app/parts/message-page.tsx'
import { StepUpProvider } from '#app/parts/step-up.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { useSecondFactorSetup } from '#app/parts/use-second-factor-setup.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Badge, Notice } from '#app/ui/notice.tsx'
import { Container, PageTitle, PendingShapes } from '#app/ui/page.tsx'
import type { Me } from '#contract/auth.ts'
import { fullName } from '#contract/base/person-names.ts'
import { type AccountPageEntry, type AccountPageId, pageFor, pagesOf } from './account-pages.ts'
import { ConsentSection, DataSection, EraseSection, VisitsSection } from './data-section.tsx'
import { DetailsSection, EmailSection } from './details-section.tsx'
import { FeedsSection } from './feeds-section.tsx'
import { PhotoSection } from './photo-section.tsx'
import { RemindersSection } from './reminders-section.tsx'
import { SavedSection } from './saved-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { PasswordSection, SessionsSection } from './security-sections.tsx'
import { TokensSection } from './tokens-section.tsx'

type AccountPageProps = {
  /** The page named in the URL. */
  page: AccountPageId | undefined
  /** The list of a patient's visits, rendered by another feature. */
  visits: ReactNode
}

/** `/userProfile`: all that account holders may see and change about their account, page by page. */
export function AccountPage(props: AccountPageProps) {
  const isSignedIn = useSignedInUser() !== null
  const user = useMe()
  if (!isSignedIn || user.data === null) return <SessionExpired />
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title="Your account" />
      <h1 className="mb-4 text-3xl font-semibold">Your account</h1>
      <UserBoundary user={user} failed="Your account didn’t load" pending={skeleton}>
        {(me) => <Account me={me} {...props} />}
      </UserBoundary>
    </Container>
  )
}

function SessionExpired() {
  return (
    <>
      <PageTitle title="Your account" />
      <MessagePage
        icon={LockKeyhole}
        title="Sign in to see your account"
        lead="Your session has ended. Please sign in again."
        actions={
          <LinkButton
            to="/sign-in"
            search={{ next: '/userProfile', ...(wasProvider() && { as: 'provider' }) }}
          >
            Sign in
          </LinkButton>
        }
      />
    </>
  )
}

const skeleton = (
  <PendingShapes
    className="grid gap-x-16 gap-y-6 lg:grid-cols-[12rem_minmax(0,44rem)]"
    shapes={['h-16 max-w-96 lg:col-span-2', 'h-11 lg:h-44', 'h-72 rounded-card']}
  />
)

/** Whose account this is. */
function Owner({ me }: { me: Me }) {
  const { first_name, last_name, email, profile_image, provider, kind } = me
  const shape = 'size-16 shrink-0 rounded-full bg-tint object-cover'
  return (
    <div className="mb-6 flex items-center gap-4 lg:mb-10">
      {profile_image === null ? (
        <span className={`${shape} flex items-center justify-center text-brand-deep`}>
          <CircleUser aria-hidden="true" className="stroke-[1.5] size-9" />
        </span>
      ) : (
        <img src={profile_image} alt="" width={64} height={64} className={shape} />
      )}
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
          <span>{fullName(first_name, last_name)}</span>
          <Badge tone={provider?.verification_status === 'Verified' ? 'ok' : 'plain'}>
            {provider?.verification_status ?? (kind === 'patient' ? 'Patient' : 'Staff')}
          </Badge>
        </p>
        <p className="wrap-anywhere text-muted">{email}</p>
      </div>
    </div>
  )
}

type AccountProps = AccountPageProps & { me: Me }

function Account({ me, page: wanted, visits }: AccountProps) {
  // The server does not receive the hash.
  const isHydrated = useHydrated()
  const hash = useLocation({ select: (location) => location.hash })
  const isSettingUp = useSecondFactorSetup(me)
  if (me.kind === 'staff' && mustSetUp(me)) return <Navigate to="/admin-signin" replace />
  if (isSettingUp) {
    return (
      <StepUpProvider>
        <Owner me={me} />
        {me.must_set_second_factor && (
          <Notice kind="warn" title="Set up an authenticator app to continue" className="mb-8">
            <p>You can’t use your account until two-step sign-in is set up.</p>
          </Notice>
        )}
        <div className="max-w-176">
          <SecondFactorSection me={me} />
          {!me.must_set_second_factor && (
            <LinkButton to={startPage(me)} className="mt-8">
              Continue to your pages
            </LinkButton>
          )}
        </div>
      </StepUpProvider>
    )
  }
  const page = pageFor(me, wanted, isHydrated ? hash : '')
  return (
    <StepUpProvider>
      <Owner me={me} />
      <div className="lg:grid lg:grid-cols-[12rem_minmax(0,44rem)] lg:gap-16">
        <AccountNav pages={pagesOf(me)} current={page.id} />
        <LeaveGuard key={page.id}>
          <Parts me={me} page={page.id} hash={hash} visits={visits} />
        </LeaveGuard>
      </div>
    </StepUpProvider>
  )
}

type PartsProps = { me: Me; page: AccountPageId; hash: string; visits: ReactNode }

function Parts({ me, page, hash, visits }: PartsProps) {
  // Staff accounts are created and closed by staff.
  const isStaff = me.kind === 'staff'
  useHashInView(hash)
  switch (page) {
    case 'visits':
      return (
        <div>
          <VisitsSection>{visits}</VisitsSection>
        </div>
      )
    case 'saved':
      return (
        <div>
          <SavedSection />
        </div>
      )
    case 'details':
      return (
        <div>
          {me.kind === 'patient' && <DetailsSection />}
          {!isStaff && <PhotoSection me={me} />}
          <EmailSection me={me} />
        </div>
      )
    case 'reminders':
      return (
        <div>
          <RemindersSection />
        </div>
      )
    case 'calendar':
      return (
        <div>
          <FeedsSection me={me} />
        </div>
      )
    case 'security':
      return (
        <div>
          <PasswordSection me={me} />
          <SecondFactorSection me={me} />
          <SessionsSection />
          <TokensSection me={me} />
        </div>
      )
    case 'data':
      return (
        <div>
          <ConsentSection />
          {!isStaff && <DataSection />}
          {!isStaff && <EraseSection me={me} />}
        </div>
      )
  }
}

type AccountNavProps = { pages: readonly AccountPageEntry[]; current: AccountPageId }

/** Navigation of the account's pages: a column from 1024 pixels, lines of links below. */
function AccountNav({ pages, current }: AccountNavProps) {
  return (
    <nav
      aria-label="Account sections"
      className="no-print max-lg:mb-6 max-lg:border-b max-lg:border-line max-lg:pb-3"
    >
      <ul className="flex flex-wrap max-lg:-mx-3 max-lg:gap-y-1 lg:sticky lg:top-6 lg:flex-col lg:gap-1">
        {pages.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/userProfile"
              search={{ section: id }}
              activeOptions={{ exact: true, includeHash: true }}
              aria-current={id === current ? 'page' : undefined}
              className="flex min-h-11 items-center px-3 font-medium text-muted no-underline -outline-offset-3 transition-colors duration-150 hover:text-brand-deep rounded-field hover:bg-tint aria-[current]:bg-tint aria-[current]:text-brand-deep"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
