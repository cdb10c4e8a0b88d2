import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { readAuthSearch } from '#app/features/auth/auth-search.ts'
import { TOKEN_PLACEHOLDER, useLinkToken } from '#app/features/auth/link-token.ts'
import { VerifyPage } from '#app/features/auth/verify-page.tsx'

export const Route = createFileRoute('/verify/$email_verify')({
  validateSearch: readAuthSearch,
  staticData: { isBare: true },
  component: VerifyScreen,
})

function VerifyScreen() {
  const { email_verify: inAddress } = Route.useParams()
  const navigate = Route.useNavigate()
  const forget = useCallback(() => {
    void navigate({ params: { email_verify: TOKEN_PLACEHOLDER }, search: true, replace: true })
  }, [navigate])
  const { next } = Route.useSearch()
  return <VerifyPage token={useLinkToken(inAddress, forget)} next={next} />
}
