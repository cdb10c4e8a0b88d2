import { createFileRoute, redirect } from '@tanstack/react-router'
import { AccountPage } from '#app/features/profiles/account/account-page.tsx'
import { signedInUser } from '#app/lib/session.ts'

export const Route = createFileRoute('/userProfile')({
  beforeLoad: () => {
    if (signedInUser() === null) {
      throw redirect({ to: '/sign-in', search: { next: '/userProfile' }, replace: true })
    }
  },
  component: AccountPage,
})
