import { type ReactNode, useEffect, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { useWhenReached } from '#app/lib/server-clock.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import type { Hold, PaymentMethod } from '#contract/booking.ts'
import { CheckoutPending } from './checkout-frame.tsx'
import type { CheckoutPageProps } from './checkout-page.tsx'
import { CheckoutSteps } from './checkout-steps.tsx'
import { HoldExpired } from './hold-clock.tsx'
import { AlreadyBooked, HeldTimes, OverlapDialog, TimeUnavailable } from './time-unavailable.tsx'
import { useHold } from './use-hold.ts'
import { useSlotTaken } from './use-slot-taken.ts'
import { offeredMode } from './visit-mode-choice.tsx'

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
export type RenderPayment = (slot: PaymentSlot) => ReactNode

type HeldCheckoutProps = Omit<CheckoutPageProps, 'onChoose'> & {
  userId: string
  choice: SlotChoice
  /** Number of this attempt; each attempt creates its own hold. */
  attempt: number
  timeZone: string
  onChoose: (choice: SlotChoice) => void
}

/** Creates or finds the hold and shows its outcome. */
export function HeldCheckout(props: HeldCheckoutProps) {
  const { profile, search, choice, attempt, timeZone, onChoose, onBooked } = props
  const [isOver, setIsOver] = useState(false)
  const [isPaying, setIsPaying] = useState(false)
  const [overlapOk, setOverlapOk] = useState(false)
  const { distance, type: typeId } = search
  const mode = offeredMode(profile, search)
  const wanted = { ...choice, attempt, overlapOk, providerId: profile.id, distance, typeId, mode }
  const { data: hold, error, refetch, update } = useHold(wanted, isOver)
  useWhenReached(hold?.state === 'held' && !isPaying && !isOver ? hold.holdUntil : undefined, () =>
    setIsOver(true),
  )
  const slotTaken = useSlotTaken(profile, choice, search)
  const failure = error === null ? null : describeFailure(error)
  const isTaken = failure?.code === 'slot_taken'
  useEffect(() => {
    if (isTaken) void slotTaken()
  }, [isTaken, slotTaken])

  // Another tab may have paid while this one was away.
  const isPaid = failure?.code === 'hold_paid' || hold?.state === 'confirmed'
  if (isPaid && !isPaying) return <AlreadyBooked />
  if (hold === undefined || isTaken) {
    if (failure?.code === 'too_many_holds') return <HeldTimes onFreed={() => void refetch()} />
    const isOverlap = failure?.code === 'visits_overlap'
    if (failure === null || isTaken || isOverlap) {
      return (
        <>
          <CheckoutPending
            profile={profile}
            choice={choice}
            timeZone={timeZone}
            type={search.type}
            step={search.step ?? 1}
          />
          {isOverlap && (
            <OverlapDialog
              profile={profile}
              distance={distance}
              asked={search}
              sentence={failure.sentence}
              onBook={() => setOverlapOk(true)}
            />
          )}
        </>
      )
    }
    return (
      <TimeUnavailable
        profile={profile}
        failure={failure}
        wanted={choice}
        asked={search}
        timeZone={timeZone}
        onChoose={onChoose}
        onRetry={() => void refetch()}
      />
    )
  }
  if (isOver || hold.state === 'released') {
    return (
      <HoldExpired
        hold={hold}
        wanted={choice}
        onChoose={onChoose}
        onBooked={() => onBooked(hold.id)}
      />
    )
  }
  return (
    <CheckoutSteps
      {...props}
      hold={hold}
      update={update}
      isPaying={isPaying}
      payment={{
        hold,
        onPaying: setIsPaying,
        onBooked,
        onTaken: () => void slotTaken(),
        onHoldOver: () => setIsOver(true),
        onStale: () => void refetch(),
      }}
    />
  )
}
