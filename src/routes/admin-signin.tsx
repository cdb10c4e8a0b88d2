import { createFileRoute, redirect } from '@tanstack/react-router'
import { SecondFactorSection } from '#app/features/account/second-factor-section.tsx'
import { StaffSignInPage } from '#app/features/auth/staff-sign-in.tsx'
import { isStaffSignedIn } from '#app/lib/session.ts'
import { SessionEndReason } from '#contract/auth.ts'

type StaffSignInSearch = {
  /** The page to return to; read only through `knownPath`. */
  next?: string
  /** Why the previous session ended; read only through `SessionEndReason`. */
  why?: string
}

export const Route = createFileRoute('/admin-signin')({
  staticData: { isBare: true },
  validateSearch: ({ next, why }: Record<string, unknown>): StaffSignInSearch => ({
    ...(typeof next === 'string' && { next }),
    ...(typeof why === 'string' && { why }),
  }),
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
      why={SessionEndReason.safeParse(why).data}
      renderSecondFactor={(me) => <SecondFactorSection me={me} />}
    />
  )
}
