import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSignOut } from '#app/parts/use-sign-out.ts'
import { Button } from '#app/ui/button.tsx'
import { Container } from '#app/ui/container.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

/** The address of this very page, for the way back. */
function useHere(): string {
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

/** The session ended while the dashboard stood open. */
export function SessionOver() {
  const next = useHere()
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

/** Patients and staff have no dashboard here: one person may have a provider account besides. */
export function ProvidersOnly() {
  const next = useHere()
  const signOut = useSignOut({ as: 'provider', next })
  return (
    <Frame
      title="This page is for providers"
      lead="You are signed in with another kind of account. Providers have an account of their own, also with the same email address."
    >
      <Button isBusy={signOut.isPending} onClick={() => signOut.mutate('logout')}>
        Log out and sign in as a provider
      </Button>
    </Frame>
  )
}

/** An installation that is no demo wants the authenticator app of providers before anything else. */
export function SecondStepFirst() {
  return (
    <Frame
      title="Set up your authenticator app first"
      lead="Your dashboard opens as soon as signing in takes a second step."
    >
      <LinkButton to="/userProfile" hash="second-factor">
        Set it up
      </LinkButton>
    </Frame>
  )
}
