import { createFileRoute, redirect } from '@tanstack/react-router'
import { readAuthSearch } from '#app/features/auth/auth-search.ts'
import { SignInPage } from '#app/features/auth/sign-in-form.tsx'
import { signedInUser, wasProvider } from '#app/lib/session.ts'

export const Route = createFileRoute('/sign-in')({
  validateSearch: readAuthSearch,
  beforeLoad: () => {
    if (signedInUser() !== null) {
      throw redirect({ to: wasProvider() ? '/dochome' : '/userProfile', replace: true })
    }
  },
  component: SignInScreen,
})

function SignInScreen() {
  return <SignInPage search={Route.useSearch()} />
}
