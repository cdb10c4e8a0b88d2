import type { ReactNode } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { useMe } from '#app/parts/use-me.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Container } from '#app/ui/container.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Me } from '#contract/auth.ts'
import { ConsentSection } from './consent-section.tsx'
import { DataSection } from './data-section.tsx'
import { DetailsSection } from './details-section.tsx'
import { EmailSection } from './email-section.tsx'
import { EraseSection } from './erase-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PhotoSection } from './photo-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { StepUpProvider } from './step-up.tsx'
import { VisitsSection } from './visits-section.tsx'

function Frame({ children }: { children: ReactNode }) {
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title="Your account" />
      {children}
    </Container>
  )
}

/**
 * `/userProfile`: everything an account holder may see and change about the account. `visits` is the
 * list of a patient's visits, from another room.
 */
export function AccountPage({ visits }: { visits: ReactNode }) {
  const isSignedIn = useSignedInUser() !== null
  const { data: me, error, refetch } = useMe()
  if (!isSignedIn || me === null) return <SessionOver />
  if (me === undefined && error) {
    const { sentence, reference } = describeFailure(error)
    return (
      <Frame>
        <h1 className="sr-only">Your account</h1>
        <ErrorState
          title="Your account did not load"
          sentence={sentence}
          reference={reference}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Frame>
    )
  }
  return (
    <Frame>
      <h1 className="text-3xl font-semibold">Your account</h1>
      {me === undefined ? <Waiting /> : <Account me={me} visits={visits} />}
    </Frame>
  )
}

function SessionOver() {
  return (
    <Frame>
      <h1 className="text-3xl font-semibold">Sign in to see your account</h1>
      <p className="mt-4 text-lg text-muted">Your session has ended. Please sign in again.</p>
      <div className="mt-6">
        <LinkButton to="/sign-in" search={{ next: '/userProfile' }}>
          Sign in
        </LinkButton>
      </div>
    </Frame>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="mt-6 flex flex-col gap-8">
      <Skeleton className="h-12 max-w-96" />
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
    </div>
  )
}

function Account({ me, visits }: { me: Me; visits: ReactNode }) {
  const isPatient = me.kind === 'patient'
  return (
    <StepUpProvider>
      <div className="mt-3 mb-8 flex flex-wrap items-center gap-3 text-lg">
        <span className="font-semibold">
          {me.first_name} {me.last_name}
        </span>
        <Badge tone={me.provider?.verification_status === 'Verified' ? 'ok' : 'plain'}>
          {me.provider?.verification_status ?? (isPatient ? 'Patient' : 'Staff')}
        </Badge>
        <span className="break-all text-muted">{me.email}</span>
      </div>
      {me.must_set_second_factor && (
        <Notice kind="warn" title="Set up an authenticator app to go on" className="mb-8">
          <p>Your account may do nothing else before it has its second step.</p>
        </Notice>
      )}
      {me.must_set_second_factor ? (
        <SecondFactorSection me={me} />
      ) : (
        <>
          {isPatient && <VisitsSection>{visits}</VisitsSection>}
          {isPatient && <DetailsSection />}
          <PhotoSection me={me} />
          <EmailSection me={me} />
          <PasswordSection />
          <SecondFactorSection me={me} />
          <SessionsSection />
          <ConsentSection />
          <DataSection />
          <EraseSection />
        </>
      )}
    </StepUpProvider>
  )
}
