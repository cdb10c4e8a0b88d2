import { createFileRoute, useLocation } from '@tanstack/react-router'
import { ConfirmMail } from '#app/features/auth/check-mail.tsx'
import { ProviderVerifyPage } from '#app/features/verification/provider-verify-page.tsx'
import { VerifyFrame } from '#app/features/verification/verify-frame.tsx'
import { providersOnly } from '#app/lib/route-guards.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { readStored } from '#app/lib/storage.ts'
import { whenProvider } from '#app/parts/use-me.ts'

const PAGE_PATH = '/provider-verify'

export const Route = createFileRoute('/provider-verify')({
  staticData: { isBare: true },
  beforeLoad: (at) => {
    // After registration there is no session yet, only the registration handle.
    if (readStored('provider_auth_token') === null) providersOnly(at)
  },
  loader: ({ context }) => {
    whenProvider(context, ({ verification }) => void verification.mine.prefetch({}))
  },
  component: ProviderVerifyScreen,
})

function ProviderVerifyScreen() {
  const isSignedIn = useSignedInUser() !== null
  const email = useLocation({ select: ({ state }) => state.registeredEmail ?? null })
  const handle = readStored('provider_auth_token')
  if (isSignedIn || handle === null) return <ProviderVerifyPage />
  return (
    <VerifyFrame current="Email" done={[]} title="Check your email">
      <ConfirmMail handle={handle} email={email} next={PAGE_PATH} />
    </VerifyFrame>
  )
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The email address just registered; gone with the tab. */
    registeredEmail?: string
  }
}
