import { createFileRoute, redirect } from '@tanstack/react-router'
import { StaffSignInPage } from '#app/features/auth/staff-sign-in.tsx'
import { SecondFactorSection } from '#app/features/profiles/account/second-factor-section.tsx'
import { isStaffSignedIn } from '#app/lib/session.ts'
import type { SessionEndReason } from '#contract/auth.ts'

type StaffSignInSearch = {
  /** The page to return to; read only through `knownPath`. */
  next?: string
  /** Why the previous session ended. */
  why?: SessionEndReason
}

// Listed here, as the schema would bring all account schemas into the initial bundle.
const END_REASONS: readonly SessionEndReason[] = [
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
    const known = END_REASONS.find((one) => one === why)
    return {
      ...(typeof next === 'string' && { next }),
      ...(known !== undefined && { why: known }),
    }
  },
  beforeLoad: () => {
    if (isStaffSignedIn()) throw redirect({ to: '/admin-home', replace: true })
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
