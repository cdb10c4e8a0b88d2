import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSignOut } from '#app/parts/sign-out.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Container, PageTitle } from '#app/ui/page.tsx'
import type { OwnVerification } from '#contract/verification.ts'

/** URL of this page, to return to. */
function useCurrentUrl(): string {
  return useLocation({ select: ({ href }) => href })
}

type FrameProps = { title: string; lead: string; children: ReactNode }

function Frame({ title, lead, children }: FrameProps) {
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title={title} />
      <h1 className="text-3xl font-semibold">{title}</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{lead}</p>
      <div className="mt-6">{children}</div>
    </Container>
  )
}

/** Shown if the session ended while the dashboard was open. */
export function SessionExpired() {
  const next = useCurrentUrl()
  return (
    <Frame
      title="Sign in to see your dashboard"
      lead="Your session has ended. Please sign in again."
    >
      <LinkButton to="/sign-in" search={{ as: 'provider', next }}>
        Sign in
      </LinkButton>
    </Frame>
  )
}

/** Shown to patients and staff, who have no dashboard; the same person may also have a provider account. */
export function ProvidersOnly() {
  const next = useCurrentUrl()
  const signOut = useSignOut({ as: 'provider', next })
  return (
    <Frame
      title="This page is for providers"
      lead="You’re signed in with another kind of account. Providers have an account of their own, which can use the same email address."
    >
      <Button isBusy={signOut.isPending} onClick={() => signOut.mutate('logout')}>
        Log out and sign in as a provider
      </Button>
    </Frame>
  )
}

/** Outside a demo, providers must set up an authenticator app first. */
export function SecondFactorRequired() {
  return (
    <Frame
      title="Set up your authenticator app first"
      lead="You can use your dashboard once two-step sign-in is on."
    >
      <LinkButton to="/userProfile" hash="second-factor">
        Set it up
      </LinkButton>
    </Frame>
  )
}

type NextStep = { text: string; action: string; isWaiting?: true }

function nextStepOf({ state, check }: OwnVerification): NextStep {
  if (state === 'refused') {
    return {
      text: 'Our staff couldn’t confirm your registration, so patients can’t find you.',
      action: 'See why',
    }
  }
  if (state === 'lost') {
    return {
      text: 'The register no longer confirms your registration, so patients can’t find you.',
      action: 'See why',
    }
  }
  if (check?.outcome !== 'match') {
    return {
      text: 'Patients can’t find you yet. Your profile goes public once your registration is verified.',
      action: 'Verify your registration',
    }
  }
  return {
    text: 'Your registration matches the register. Our staff decide next, and we’ll email you.',
    action: 'See your verification',
    isWaiting: true,
  }
}

/** The next step of a provider who is not Verified, or what they are waiting for. */
export function NotVerified({ verification }: { verification: OwnVerification }) {
  const { text, action, isWaiting = false } = nextStepOf(verification)
  return (
    <>
      <p className="mt-2 pl-9 text-muted">{text}</p>
      <LinkButton
        to="/provider-verify"
        variant={isWaiting ? 'secondary' : 'primary'}
        className="mt-4 max-sm:w-full sm:ml-9"
      >
        {action}
      </LinkButton>
    </>
  )
}
