import { Button } from '#app/ui/button.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import type { Hold, PaymentMethod, VisitType } from '#contract/booking.ts'
import { formatExactMoney, type Money } from '#contract/money.ts'
import { HowToMeet, type Meeting, useMeeting } from './how-to-meet.tsx'
import { PAY_LATER, StepActions } from './step-frame.tsx'

type Choice = Meeting | { typeOfVisit: VisitType } | { paymentMethod: PaymentMethod }

type StepInfoProps = {
  hold: Hold
  onChoose: (choice: Choice) => void
  onBack: () => void
  onNext: () => void
}

/** "GBP £60.00": with the currency code, because a symbol can be ambiguous. */
function Amount({ money }: { money: Money }) {
  return (
    <>
      <span className="text-sm text-muted">{money.currency}</span>{' '}
      <span className="font-semibold">{formatExactMoney(money)}</span>
    </>
  )
}

/** Step 1: mode, new patient or follow-up, and payment method, each with its price. */
export function StepInfo({ hold, onChoose, onBack, onNext }: StepInfoProps) {
  const { fees, typeOfVisit, followUpRefusal } = hold
  const meeting = useMeeting(hold, onChoose)
  const amount = <Amount money={fees[typeOfVisit]} />
  return (
    <form
      aria-label="Appointment Info"
      className="flex flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        if (meeting.isReady()) onNext()
      }}
    >
      <HowToMeet hold={hold} meeting={meeting} />
      <RadioCards
        name="typeOfVisit"
        legend="Have you been here before?"
        value={typeOfVisit}
        onChange={(value) => onChoose({ typeOfVisit: value })}
        choices={[
          {
            value: 'first_visit',
            label: "I'm a new patient",
            detail: 'First visit',
            aside: <Amount money={fees.first_visit} />,
          },
          {
            value: 'follow_up',
            label: "I've seen this doctor before",
            detail: followUpRefusal ?? 'Follow-up',
            aside: <Amount money={fees.follow_up} />,
            isDisabled: followUpRefusal !== null,
          },
        ]}
      />
      <RadioCards
        name="paymentMethod"
        legend="How would you like to pay?"
        value={hold.paymentMethod}
        onChange={(value) => onChoose({ paymentMethod: value })}
        choices={[
          {
            value: 'stripe',
            label: 'Card',
            detail: 'Debit or credit, through Stripe',
            aside: amount,
          },
          { value: 'paypal', label: 'PayPal', detail: 'With your PayPal account', aside: amount },
        ]}
      />
      <p className="max-w-prose text-muted">{PAY_LATER}</p>
      <StepActions>
        <Button variant="secondary" size="large" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" size="large">
          Next
        </Button>
      </StepActions>
    </form>
  )
}
