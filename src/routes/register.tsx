import { createFileRoute, redirect } from '@tanstack/react-router'
import { readAuthSearch } from '#app/features/auth/auth-search.ts'
import { RegisterPage } from '#app/features/auth/register-page.tsx'
import { signedInUser, wasProvider } from '#app/lib/session.ts'

export const Route = createFileRoute('/register')({
  validateSearch: readAuthSearch,
  beforeLoad: () => {
    if (signedInUser() !== null) {
      throw redirect({ to: wasProvider() ? '/dochome' : '/userProfile', replace: true })
    }
  },
  component: RegisterScreen,
})

function RegisterScreen() {
  return <RegisterPage search={Route.useSearch()} />
}
