import { createFileRoute, redirect } from '@tanstack/react-router'
import { StaffSignInPage } from '#app/features/auth/staff/staff-sign-in-page.tsx'
import { isStaffHere } from '#app/lib/session.ts'

type StaffSignInSearch = {
  /** The page that was wanted. */
  next?: string
}

export const Route = createFileRoute('/admin-signin')({
  staticData: { isBare: true },
  validateSearch: ({ next }: Record<string, unknown>): StaffSignInSearch =>
    typeof next === 'string' ? { next } : {},
  beforeLoad: () => {
    if (isStaffHere()) throw redirect({ to: '/admin-home', replace: true })
  },
  component: StaffSignInScreen,
})

function StaffSignInScreen() {
  return <StaffSignInPage next={Route.useSearch().next} />
}
