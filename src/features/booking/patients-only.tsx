import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSignOut } from '#app/parts/use-sign-out.ts'
import { Button } from '#app/ui/button.tsx'
import { sentenceFor } from '#contract/sentences.ts'
import { CheckoutFrame } from './checkout-frame.tsx'

/** Providers and staff have no visits: one person may have a patient account besides. */
export function PatientsOnly({ children }: { children: ReactNode }) {
  const here = useRouterState({ select: ({ location }) => location.href })
  const signOut = useSignOut({ next: here })
  return (
    <CheckoutFrame
      title={sentenceFor('patients_only')}
      lead="You’re signed in with an account that can’t book visits. Patients have an account of their own, which can use the same email address."
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
