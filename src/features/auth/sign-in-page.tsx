import { TextLink } from '#app/ui/text-link.tsx'
import { AsSwitch } from './as-switch.tsx'
import { AuthPage } from './auth-page.tsx'
import type { AuthSearch } from './auth-search.ts'
import { InsecureNotice } from './insecure-notice.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** `/sign-in`, for patients and with `?as=provider` for providers. */
export function SignInPage({ search }: { search: AuthSearch }) {
  return (
    <AuthPage title="Sign in">
      <InsecureNotice />
      <AsSwitch to="/sign-in" search={search} />
      {/* A form of its own for each: an error of one says nothing about the other. */}
      <SignInForm key={search.as ?? 'patient'} search={search} />
      <p className="border-t border-line pt-6">
        New here?{' '}
        <TextLink to="/register" search={search}>
          {search.as === 'provider' ? 'Register as a provider' : 'Register as a patient'}
        </TextLink>
      </p>
    </AuthPage>
  )
}
