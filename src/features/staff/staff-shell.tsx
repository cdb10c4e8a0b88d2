import { Outlet, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { endSession, hasSetUp, useSignedInUser } from '#app/lib/session.ts'
import { LoadFailure } from '#app/parts/load-failure.tsx'
import { NetworkNotice } from '#app/parts/network-notice.tsx'
import { StepUpProvider } from '#app/parts/step-up.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { PageTitle } from '#app/ui/page-title.tsx'
import { PendingShapes } from '#app/ui/pending-shapes.tsx'
import { SkipLink } from '#app/ui/skip-link.tsx'
import { Toaster } from '#app/ui/toast.tsx'
import { SIGNED_OUT_KEYS } from '#contract/auth.ts'
import type { StandingOver } from '#contract/auth-staff.ts'
import { StaffHeader } from './staff-header.tsx'
import { StaffSidebar } from './staff-sidebar.tsx'
import { useHere } from './use-here.ts'
import { useIsLoggingOut } from './use-staff-logout.ts'
import { useStanding } from './use-standing.ts'

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <StaffHeader />
      <NetworkNotice />
      <div className="mx-auto w-full max-w-staff flex-1 px-4 pb-16 sm:px-6 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10 lg:px-8 lg:pt-8 print:block! print:max-w-none print:p-0">
        <StaffSidebar />
        <main id="main" tabIndex={-1} className="min-w-0 max-lg:mt-6">
          {children}
        </main>
      </div>
      <Toaster />
    </div>
  )
}

const waiting = <PendingShapes shapes={['h-10 w-72 max-w-full', 'h-48', 'h-48']} />

/** Leads to the staff's sign-in, and back to this page from there. */
function ToSignIn(props: { why: StandingOver | null }) {
  const navigate = useNavigate()
  const isLoggingOut = useIsLoggingOut()
  // As it was at first: the address changes before this page is gone, and the session is forgotten.
  const [next] = useState(useHere())
  const [why] = useState(props.why)
  useEffect(() => {
    if (isLoggingOut) return
    // First: the sign-in is for people whom this browser does not know.
    if (why !== null) endSession(SIGNED_OUT_KEYS)
    const search = { next, ...(why !== null && { why }) }
    void navigate({ to: '/admin-signin', search, replace: true })
  }, [navigate, next, why, isLoggingOut])
  return waiting
}

/** The staff's side of the site: header, menu, and whatever page was asked for. */
export function StaffShell() {
  const isSignedIn = useSignedInUser() !== null
  const { data: me, error, refetch } = useMe()
  const over = useStanding()
  const isStaff = me?.kind === 'staff' && !hasSetUp(me)
  if (over !== null || !isSignedIn || me === null) return <ToSignIn why={over ?? 'ended'} />
  if (me !== undefined && !isStaff) return <ToSignIn why={null} />
  if (me === undefined && error) {
    return (
      <Frame>
        <PageTitle title="Staff" />
        <h1 className="sr-only">Staff</h1>
        <LoadFailure title="This page did not load" error={error} onRetry={() => void refetch()} />
      </Frame>
    )
  }
  return (
    <StepUpProvider>
      <Frame>{me === undefined ? waiting : <Outlet />}</Frame>
    </StepUpProvider>
  )
}
