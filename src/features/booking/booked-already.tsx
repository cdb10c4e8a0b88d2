import { LinkButton } from '#app/ui/link-button.tsx'
import { CheckoutFrame } from './checkout-frame.tsx'

/** Back here after paying, or in another tab: the visit is booked, and stands in the account. */
export function BookedAlready() {
  return (
    <CheckoutFrame
      title="This visit is booked and paid for"
      lead="You find it among your visits, with the calendar file and the way there."
    >
      <div>
        <LinkButton to="/userProfile" hash="visits" size="large">
          See your visits
        </LinkButton>
      </div>
    </CheckoutFrame>
  )
}
