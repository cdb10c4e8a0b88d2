import { useLocation } from '@tanstack/react-router'
import { describeFailure } from '#app/lib/errors.ts'
import { LoadFailure, type LoadFailureProps } from '#app/parts/load-failure.tsx'
import { useSignOut } from '#app/parts/use-sign-out.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'

/** Why the verification cannot be shown to whoever is here, with the way on. */
export function NotYours(failure: LoadFailureProps) {
  const next = useLocation({ select: ({ href }) => href })
  const signOut = useSignOut({ as: 'provider', next })
  const { code, sentence } = describeFailure(failure.error)
  if (code === 'forbidden') {
    return (
      <ErrorState
        title="This page is for providers"
        sentence="You are signed in with another kind of account. Providers have an account of their own, also with the same email address."
        reference={null}
        actions={
          <Button isBusy={signOut.isPending} onClick={() => signOut.mutate('logout')}>
            Log out and sign in as a provider
          </Button>
        }
      />
    )
  }
  if (code === 'sign_in_required' || code === 'session_ended') {
    return (
      <ErrorState
        title="Sign in to go on"
        sentence={sentence}
        reference={null}
        actions={
          <LinkButton to="/sign-in" search={{ as: 'provider', next }}>
            Sign in
          </LinkButton>
        }
      />
    )
  }
  if (code === 'second_factor_setup_required') {
    return (
      <ErrorState
        title="Set up your authenticator app first"
        sentence="Verification opens as soon as signing in takes a second step."
        reference={null}
        actions={
          <LinkButton to="/userProfile" hash="second-factor">
            Set it up
          </LinkButton>
        }
      />
    )
  }
  return <LoadFailure {...failure} />
}
