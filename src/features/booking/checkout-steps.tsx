import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Container } from '#app/ui/card.tsx'
import { type DescribeInput, type Hold, purposeProblem } from '#contract/booking.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { CheckoutPageProps } from './checkout-page.tsx'
import { useSendCode } from './code-field.tsx'
import type { PaymentSlot } from './held-checkout.tsx'
import { HoldSummary } from './hold-summary.tsx'
import { needsState } from './how-to-meet.tsx'
import { keepPurpose, keptPurpose } from './purpose-draft.ts'
import { StepConfirmation } from './step-confirmation.tsx'
import { type Step, StepFrame } from './step-frame.tsx'
import { StepInfo } from './step-info.tsx'
import { StepPurpose } from './step-purpose.tsx'
import { type UpdateHold, useLeave } from './use-hold.ts'

type CheckoutStepsProps = Pick<
  CheckoutPageProps,
  'search' | 'onStep' | 'onMode' | 'renderPayment'
> & {
  userId: string
  hold: Hold
  update: UpdateHold
  isPaying: boolean
  payment: Omit<PaymentSlot, 'onMethod' | 'isPaying'>
}

/** Errors after which the choice is no longer available and the page returns to the server's state. */
const TOLD_ANEW = new Set<string>([
  'follow_up_refused',
  'mode_not_offered',
  'state_not_licensed',
] satisfies ErrorCode[])

/** The step to show: without a purpose the confirmation is not shown, whatever the URL says. */
function stepOf(wanted: Step | undefined, hold: Hold): Step {
  if (needsState(hold)) return 1
  if (wanted === 3 && purposeProblem(hold.purposeForVisit) !== null) return 2
  return wanted ?? 1
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
 * on a slow network.
 */
function useDescribe(hold: Hold) {
  const [draft, setDraft] = useState<Draft>({})
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
  const leave = useLeave(props.hold)
  const code = useSendCode(props.hold.id)
  const { told: hold, describe, forget } = useDescribe(props.hold)
  const [purpose, setPurpose] = useState(() => hold.purposeForVisit || keptPurpose(userId))
  const onRefused = (error: unknown) => {
    const { code: refusal } = describeFailure(error)
    if (refusal === 'hold_expired') payment.onHoldOver()
    else if (refusal === 'hold_paid') payment.onStale()
    else if (TOLD_ANEW.has(refusal)) {
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
  return (
    <Container className="pb-6 lg:py-10">
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-stretch lg:gap-12">
        <div className="max-lg:contents lg:order-2">
          <HoldSummary
            hold={hold}
            update={update}
            isBusy={advance.isPending}
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
                  keepPurpose(userId, text)
                }}
                onKeep={(text) => tell({ purposeForVisit: text })}
                onBack={() => onStep(1)}
                // Per-call callback: it does not run once the user has left the page.
                onNext={(text) => advance.mutate(text, { onSuccess: () => onStep(3) })}
                isBusy={advance.isPending}
                failure={advance.error === null ? null : describeFailure(advance.error)}
              />
            )}
            {step === 3 && (
              <StepConfirmation
                hold={hold}
                code={code}
                onVerified={() => update((now) => ({ ...now, isCodeVerified: true }))}
                onDoubt={payment.onStale}
                onBack={() => onStep(2)}
                isPaying={isPaying}
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
