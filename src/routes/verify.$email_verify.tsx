import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { TAKEN, useLinkToken } from '#app/features/auth/auth-search.ts'
import { VerifyPage } from '#app/features/auth/verify-page.tsx'

export const Route = createFileRoute('/verify/$email_verify')({
  staticData: { isBare: true },
  component: VerifyScreen,
})

function VerifyScreen() {
  const { email_verify: inAddress } = Route.useParams()
  const navigate = Route.useNavigate()
  const forget = useCallback(() => {
    void navigate({ params: { email_verify: TAKEN }, replace: true })
  }, [navigate])
  return <VerifyPage token={useLinkToken(inAddress, forget)} />
}
