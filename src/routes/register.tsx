import { createFileRoute, redirect } from '@tanstack/react-router'
import { readAuthSearch } from '#app/features/auth/auth-search.ts'
import { RegisterPage } from '#app/features/auth/register-page.tsx'
import { signedInUser, wasProvider } from '#app/lib/session.ts'
import { selectedRegion } from '#app/lib/visitor-place.ts'
import { prefetchSpecialities } from '#app/parts/use-specialities.ts'

export const Route = createFileRoute('/register')({
  validateSearch: readAuthSearch,
  beforeLoad: () => {
    if (signedInUser() !== null) {
      throw redirect({ to: wasProvider() ? '/dochome' : '/userProfile', replace: true })
    }
  },
  loaderDeps: ({ search: { as } }) => ({ as }),
  loader: ({ context, deps }) => {
    if (deps.as === 'provider') prefetchSpecialities(context.utils, selectedRegion())
  },
  component: RegisterScreen,
})

function RegisterScreen() {
  return <RegisterPage search={Route.useSearch()} />
}
