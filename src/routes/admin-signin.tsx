import { createFileRoute, redirect } from '@tanstack/react-router'
import { StaffSignInPage } from '#app/features/auth/staff/staff-sign-in-page.tsx'
import { SecondFactorSection } from '#app/features/profiles/account/second-factor-section.tsx'
import { isStaffHere } from '#app/lib/session.ts'
import type { SessionEnd } from '#contract/auth-staff.ts'

type StaffSignInSearch = {
  /** The page that was wanted; read only through `knownPath`. */
  next?: string
  /** Why whoever was here was shown out. */
  why?: SessionEnd
}

// Written out: the schema would bring everything about accounts into the first script.
const WHYS: readonly SessionEnd[] = [
  'idle',
  'role',
  'closed',
  'elsewhere',
  'password',
  'signed_out',
  'reuse',
  'ended',
]

export const Route = createFileRoute('/admin-signin')({
  staticData: { isBare: true },
  validateSearch: ({ next, why }: Record<string, unknown>): StaffSignInSearch => {
    const known = WHYS.find((one) => one === why)
    return {
      ...(typeof next === 'string' && { next }),
      ...(known !== undefined && { why: known }),
    }
  },
  beforeLoad: () => {
    if (isStaffHere()) throw redirect({ to: '/admin-home', replace: true })
  },
  component: StaffSignInScreen,
})

function StaffSignInScreen() {
  const { next, why } = Route.useSearch()
  return (
    <StaffSignInPage
      next={next}
      why={why}
      renderSecondFactor={(me) => <SecondFactorSection me={me} />}
    />
  )
}
