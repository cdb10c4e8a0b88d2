import { AuthPage } from './auth-page.tsx'
import type { AuthSearch } from './auth-search.ts'
import { InsecureNotice } from './insecure-notice.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** `/sign-in`, for patients and with `?as=provider` for providers. */
export function SignInPage({ search }: { search: AuthSearch }) {
  return (
    <AuthPage title="Sign in" isNarrow>
      <InsecureNotice />
      {/* A form of its own for each: an error of one says nothing about the other. */}
      <SignInForm key={search.as ?? 'patient'} search={search} />
    </AuthPage>
  )
}
