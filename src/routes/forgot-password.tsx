import { createFileRoute } from '@tanstack/react-router'
import { readAuthSearch } from '#app/features/auth/auth-search.ts'
import { ForgotPasswordPage } from '#app/features/auth/reset-password.tsx'

export const Route = createFileRoute('/forgot-password')({
  validateSearch: readAuthSearch,
  component: ForgotPasswordScreen,
})

function ForgotPasswordScreen() {
  return <ForgotPasswordPage search={Route.useSearch()} />
}
