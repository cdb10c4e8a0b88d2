import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSignOut } from '#app/parts/use-sign-out.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { sentenceFor } from '#contract/sentences.ts'
import { CheckoutFrame } from './checkout-frame.tsx'

/** The address of this very page, for the way back. */
function useHere(): string {
  return useRouterState({ select: ({ location }) => location.href })
}

/** Booking is for patients who are signed in; afterwards they are here again, with their time. */
export function SignInToBook({ children }: { children: ReactNode }) {
  const search = { next: useHere() }
  return (
    <CheckoutFrame
      title="Sign in to book this time"
      lead="As soon as you are signed in we hold it for you for 15 minutes."
    >
      {children}
      <div className="flex flex-wrap justify-center gap-3">
        <LinkButton to="/sign-in" search={search} size="large">
          Sign in
        </LinkButton>
        <LinkButton to="/register" search={search} size="large" variant="secondary">
          Register as a patient
        </LinkButton>
      </div>
    </CheckoutFrame>
  )
}

/** Providers and staff have no visits: one person may have a patient account besides. */
export function PatientsOnly({ children }: { children: ReactNode }) {
  const here = useHere()
  const signOut = useSignOut({ next: here })
  return (
    <CheckoutFrame
      title={sentenceFor('patients_only')}
      lead="You are signed in with an account that cannot book visits. Patients have an account of their own, also with the same email address."
    >
      {children}
      <div className="flex justify-center">
        <Button size="large" isBusy={signOut.isPending} onClick={() => signOut.mutate('logout')}>
          Log out and sign in as a patient
        </Button>
      </div>
    </CheckoutFrame>
  )
}
