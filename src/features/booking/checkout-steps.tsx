import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { SlotChoice } from '#app/lib/dates/slot-choice.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioCards } from '#app/ui/fields.tsx'
import { Container } from '#app/ui/page.tsx'
import type { ErrorCode } from '#contract/base/errors.ts'
import { formatExactMoney, type Money } from '#contract/base/money.ts'
import {
  type DescribeInput,
  type Hold,
  type PaymentMethod,
  purposeProblem,
  type VisitType,
} from '#contract/booking.ts'
import type { ProviderProfile, VisitMode } from '#contract/search.ts'
import { PAY_LATER, type Step, StepActions, StepFrame } from './checkout-frame.tsx'
import { CodeField, type CodeSender, ResendCode, useSendCode } from './code-field.tsx'
import { HoldSummary } from './hold-summary.tsx'
import { StepPurpose } from './step-purpose.tsx'
import { initialPurpose, savePurpose, type UpdateHold, useReleaseHold } from './use-hold.ts'
import {
  type ModeChoice,
  needsState,
  useModeChoice,
  VisitModeChoice,
} from './visit-mode-choice.tsx'

/** Data and callbacks of the payment buttons. */
export type PaymentSlot = {
  hold: Hold
  /** While a payment is in progress the page must not be replaced. */
  onPaying: (isPaying: boolean) => void
  onBooked: (visitId: string) => void
  /** Somebody else has the time. */
  onTaken: () => void
  onHoldOver: () => void
  /** Called if the page's copy of the hold is stale: refetch. */
  onStale: () => void
  /** Switches the payment method without returning to step 1. */
  onMethod: (method: PaymentMethod) => void
  isPaying: boolean
}
type RenderPayment = (slot: PaymentSlot) => ReactNode

export type CheckoutPageProps = {
  profile: ProviderProfile
  search: {
    date?: string | undefined
    time?: string | undefined
    fold?: 1 | undefined
    distance?: string | undefined
    type?: string | undefined
    mode?: VisitMode | undefined
    step?: Step | undefined
  }
  onStep: (step: Step) => void
  onChoose: (choice: SlotChoice) => void
  /** Called when the user changes the mode of the visit. */
  onMode: (mode: VisitMode) => void
  /** Called once the visit is booked. */
  onBooked: (visitId: string) => void
  /** The payment buttons, from another feature module. */
  renderPayment: RenderPayment
}

type CheckoutStepsProps = Pick<
  CheckoutPageProps,
  'search' | 'onStep' | 'onMode' | 'renderPayment'
> & {
  userId: string
  hold: Hold
  /** The mode in the URL, if it is offered. */
  mode: VisitMode | undefined
  update: UpdateHold
  isPaying: boolean
  payment: Omit<PaymentSlot, 'onMethod' | 'isPaying'>
}

/** Errors after which the choice is no longer available and the page returns to the server's state. */
const STALE_CHOICE_CODES = new Set<string>([
  'follow_up_refused',
  'mode_not_offered',
  'state_not_licensed',
] satisfies ErrorCode[])

/** The step to show: without a purpose the confirmation is not shown, whatever the URL says. */
function stepOf(requested: Step | undefined, hold: Hold): Step {
  if (needsState(hold)) return 1
  if (requested === 3 && purposeProblem(hold.purposeForVisit) !== null) return 2
  return requested ?? 1
}

type Draft = Omit<DescribeInput, 'holdId'>

function withDraft(hold: Hold, draft: Draft): Hold {
  const { typeOfVisit, mode, patientState, paymentMethod, purposeForVisit } = draft
  return {
    ...hold,
    typeOfVisit: typeOfVisit ?? hold.typeOfVisit,
    mode: mode ?? hold.mode,
    patientState: patientState ?? hold.patientState,
    paymentMethod: paymentMethod ?? hold.paymentMethod,
    purposeForVisit: purposeForVisit ?? hold.purposeForVisit,
  }
}

/**
 * Saves the user's choices with the hold. They show at once (`told`), are sent in order, and do not flicker
 * on a slow network. `mode` is the one in the URL, which a running payment may have kept from being saved.
 */
function useDescribe(hold: Hold, mode: VisitMode | undefined) {
  const [draft, setDraft] = useState<Draft>(mode === undefined ? {} : { mode })
  const sending = trpc.booking.describe.useMutation({ scope: { id: `describe ${hold.id}` } })
  return {
    told: useMemo(() => withDraft(hold, draft), [hold, draft]),
    describe: (part: Draft): Promise<Hold> => {
      // Applied first: a radio button that waited for the response would jump back and forth.
      setDraft((now) => ({ ...now, ...part }))
      return sending.mutateAsync({ holdId: hold.id, ...part })
    },
    /** Returns to the server's state after it rejected a choice. */
    forget: () => setDraft({}),
  }
}

/** The three steps beside their summary. */
export function CheckoutSteps(props: CheckoutStepsProps) {
  const { userId, update, search, onStep, isPaying, payment, renderPayment } = props
  const leave = useReleaseHold(props.hold)
  const code = useSendCode(props.hold.id)
  const { told: hold, describe, forget } = useDescribe(props.hold, props.mode)
  const [purpose, setPurpose] = useState(() => initialPurpose(userId, hold))
  const onRefused = (error: unknown) => {
    const { code: refusal } = describeFailure(error)
    if (refusal === 'hold_expired') payment.onHoldOver()
    else if (refusal === 'hold_paid') payment.onStale()
    else if (STALE_CHOICE_CODES.has(refusal)) {
      forget()
      payment.onStale()
    }
  }
  const tell = (draft: Parameters<typeof describe>[0]) => {
    // A failed request loses nothing: the choices are sent again with the payment.
    describe(draft).catch(onRefused)
  }
  const advance = useMutation({
    mutationFn: async (text: string) => {
      await describe({ purposeForVisit: text })
      if (!hold.isCodeVerified) await code.sending.mutateAsync()
    },
    onError: onRefused,
  })
  const step = stepOf(search.step, hold)
  // Meanwhile nothing may be pressed (specification, section 4), wherever the code is requested.
  const isAsking = advance.isPending || code.sending.isPending
  return (
    <Container className="pb-6 lg:py-10">
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-stretch lg:gap-12">
        <div className="max-lg:contents lg:order-2">
          <HoldSummary
            hold={hold}
            update={update}
            isBusy={isAsking}
            onOtherTime={() => leave.mutate({ isSame: false })}
          />
        </div>
        <div className="min-w-0 max-lg:mt-6">
          <StepFrame step={step}>
            {step === 1 && (
              <StepInfo
                hold={hold}
                onChoose={(choice) => {
                  tell(choice)
                  // After a reload the hold is created from the URL again.
                  if ('mode' in choice) props.onMode(choice.mode)
                }}
                onBack={() => leave.mutate({ isSame: true })}
                onNext={() => onStep(2)}
              />
            )}
            {step === 2 && (
              <StepPurpose
                hold={hold}
                text={purpose}
                onType={(text) => {
                  setPurpose(text)
                  savePurpose(userId, hold, text)
                }}
                onKeep={(text) => tell({ purposeForVisit: text })}
                onBack={() => onStep(1)}
                // Per-call callback: it does not run once the user has left the page.
                onNext={(text) => advance.mutate(text, { onSuccess: () => onStep(3) })}
                isBusy={isAsking}
                failure={advance.error === null ? null : describeFailure(advance.error)}
              />
            )}
            {step === 3 && (
              <StepConfirmation
                hold={hold}
                code={code}
                onVerified={() => void update((now) => ({ ...now, isCodeVerified: true }))}
                onDoubt={payment.onStale}
                onBack={() => onStep(2)}
                isBusy={isPaying || isAsking}
              >
                {renderPayment({
                  ...payment,
                  hold,
                  isPaying,
                  onMethod: (paymentMethod) => tell({ paymentMethod }),
                })}
              </StepConfirmation>
            )}
          </StepFrame>
        </div>
      </div>
    </Container>
  )
}

type StepConfirmationProps = {
  hold: Hold
  code: CodeSender
  onVerified: () => void
  /** Asks the server again whether the code is verified. */
  onDoubt: () => void
  onBack: () => void
  /** True while a code is requested or a payment is in progress: going back is not possible. */
  isBusy: boolean
  /** The payment buttons; shown once the code is verified. */
  children: ReactNode
}

/** Announced once the code is verified, because the next action has just appeared below. */
function Verified({ isNew }: { isNew: boolean }) {
  const words = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isNew) words.current?.focus()
  }, [isNew])
  return (
    <p
      ref={words}
      tabIndex={-1}
      role="status"
      className="flex items-center gap-1.5 font-semibold text-ok outline-none"
    >
      Your OTP is verified
      {/* The documented emoji is for screen readers only, as not every system can render it. */}
      <span className="sr-only"> ✅</span>
      <CircleCheck aria-hidden="true" className="size-5" />
    </p>
  )
}

/** Step 3: the emailed code, then the payment. */
function StepConfirmation(props: StepConfirmationProps) {
  const { hold, code, onVerified, onDoubt, onBack, isBusy, children } = props
  const { data: me } = useMe()
  const [wasVerified] = useState(hold.isCodeVerified)
  const isVerified = hold.isCodeVerified
  return (
    <div className="flex flex-col gap-6">
      {!isVerified && (
        <p className="max-w-prose">
          {code.isSent ? 'We sent a code to ' : 'Confirm with the code we email to '}
          <strong className="font-semibold wrap-anywhere">{code.email}</strong>. Enter it here so
          that we know it’s you.
        </p>
      )}
      <CodeField hold={hold} onVerified={onVerified} onDoubt={onDoubt} />
      {isVerified ? (
        <>
          <Verified isNew={!wasVerified} />
          <div className="border-t border-line pt-6">{children}</div>
        </>
      ) : (
        <div className="flex flex-col gap-3">
          <ResendCode code={code} />
          {me && (
            <p>
              <MailboxLink email={me.email} />
            </p>
          )}
        </div>
      )}
      <StepActions>
        <Button variant="secondary" size="large" disabled={isBusy} onClick={onBack}>
          Back
        </Button>
      </StepActions>
    </div>
  )
}

type Choice = ModeChoice | { typeOfVisit: VisitType } | { paymentMethod: PaymentMethod }

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
function StepInfo({ hold, onChoose, onBack, onNext }: StepInfoProps) {
  const { fees, typeOfVisit, followUpRefusal } = hold
  const meeting = useModeChoice(hold, onChoose)
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
      <VisitModeChoice hold={hold} meeting={meeting} />
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
