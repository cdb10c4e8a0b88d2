import { LinkButton } from '#app/ui/link-button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { WalletPhase } from './use-wallet.ts'

/** In place of the button once money moves: nothing more to do, and nothing to lose. */
export function PaymentMoving({ phase }: { phase: WalletPhase }) {
  if (phase === 'paid' || phase === 'leaving') {
    return (
      <Notice kind="ok" role="status" title="Your visit is booked">
        <p>We take you to your visits.</p>
      </Notice>
    )
  }
  return (
    <>
      <Notice kind="info" role="status" title="We will email you">
        <p>
          Your payment is on its way. As soon as it is through the visit is booked, and we mail you
          the confirmation. You can close this page. Do not pay again.
        </p>
      </Notice>
      <div>
        <LinkButton to="/userProfile" hash="visits" variant="secondary">
          See your visits
        </LinkButton>
      </div>
    </>
  )
}
