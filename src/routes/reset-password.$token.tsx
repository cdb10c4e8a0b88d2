import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { TOKEN_PLACEHOLDER, useLinkToken } from '#app/features/auth/link-token.ts'
import { ResetPasswordPage } from '#app/features/auth/reset-password.tsx'

// No loader: the link is checked by a POST call, which must not be cached with the token, and without the check
// the page still works, as the server checks again.
export const Route = createFileRoute('/reset-password/$token')({
  staticData: { isBare: true },
  component: ResetPasswordScreen,
})

function ResetPasswordScreen() {
  const { token: inAddress } = Route.useParams()
  const navigate = Route.useNavigate()
  const forget = useCallback(() => {
    void navigate({ params: { token: TOKEN_PLACEHOLDER }, replace: true })
  }, [navigate])
  return <ResetPasswordPage token={useLinkToken(inAddress, forget)} />
}
