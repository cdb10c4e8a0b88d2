import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import { visitParamsOf } from '#app/lib/visit-params.ts'
import { HoldStrip } from '#app/parts/hold-strip.tsx'
import { NearestFree } from '#app/parts/nearest-free.tsx'
import { trpc } from '#app/trpc.ts'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Hold } from '#contract/booking.ts'
import { POLL_MS, POLL_TRIES } from '#contract/payments.ts'
import { CheckoutFrame } from './checkout-frame.tsx'
import { ProfileLink } from './profile-link.tsx'
import type { UpdateHold } from './use-hold.ts'

type HoldClockProps = { hold: Hold; update: UpdateHold; className?: string }

/** "Held for you 9:42", and one renewal. Announced when there are 5, 2 and 1 minutes left. */
export function HoldClock({ hold, update, className }: HoldClockProps) {
  const renew = trpc.booking.renew.useMutation({
    onSuccess: ({ holdUntil, canRenew }) => update((now) => ({ ...now, holdUntil, canRenew })),
  })
  return (
    <HoldStrip
      holdUntil={hold.holdUntil}
      className={className}
      announce={renew.isSuccess ? 'Your hold is extended.' : undefined}
      hint={hold.canRenew ? 'You can extend it once.' : undefined}
    >
      {hold.canRenew && (
        <button
          type="button"
          aria-disabled={renew.isPending || undefined}
          onClick={() => !renew.isPending && renew.mutate({ holdId: hold.id })}
          className="ml-auto inline-flex min-h-9 items-center rounded-field px-2 font-semibold underline decoration-1 underline-offset-[0.2em] hover:decoration-2 pointer-coarse:min-h-11"
        >
          Keep it longer
        </button>
      )}
      {renew.error && (
        <p role="alert" className="basis-full pb-1 text-sm font-medium text-danger">
          {describeFailure(renew.error).sentence}
        </p>
      )}
    </HoldStrip>
  )
}

type HoldEnd = 'released' | 'booked' | 'unsure'

const holdEnds = { released: 'released', confirmed: 'booked', held: 'unsure' } as const

/**
 * How the hold ended. `leave` rules out a late payment; if that is no longer possible, a payment has just
 * succeeded or is in progress.
 */
function useHoldEnd(hold: Hold) {
  const utils = trpc.useUtils()
  return useQuery({
    queryKey: [['payments', 'leave'], hold.id],
    queryFn: async (): Promise<HoldEnd> => {
      const { released } = await utils.client.payments.leave.mutate({ holdId: hold.id })
      if (released) return 'released'
      const { state } = await utils.client.booking.current.query({ holdId: hold.id })
      return holdEnds[state]
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data === 'unsure' && state.dataUpdateCount < POLL_TRIES ? POLL_MS : false,
  })
}

type HoldExpiredProps = {
  hold: Hold
  wanted: SlotChoice
  onChoose: (choice: SlotChoice) => void
  /** Called if the payment turns out to have arrived in time. */
  onBooked: () => void
}

/** Shown after the hold expired: what that means, and three other times. */
export function HoldExpired({ hold, wanted, onChoose, onBooked }: HoldExpiredProps) {
  const utils = trpc.useUtils()
  const { data: end, error } = useHoldEnd(hold)
  useEffect(() => {
    if (end === 'booked') onBooked()
    // The time is free again, so the list is refetched.
    if (end === 'released') void utils.availability.freeTimes.invalidate()
  }, [end, onBooked, utils])
  const isKnown = end !== undefined || error !== null
  return (
    <CheckoutFrame
      title="Your hold has ended"
      lead={
        <p role="status">
          {end === 'released' && 'You haven’t been charged, and we’ve kept what you wrote.'}
          {!isKnown && 'Making sure you aren’t charged…'}
        </p>
      }
    >
      {(end === 'unsure' || error !== null) && (
        <Notice kind="info" role="status" title="A payment may be on its way">
          <p>
            If it goes through, the visit is yours and we’ll email you. If not, you won’t be
            charged. Don’t pay again for this time.
          </p>
        </Notice>
      )}
      {isKnown ? (
        <NearestFree
          providerId={hold.provider.id}
          typeId={hold.typeId ?? undefined}
          wanted={wanted}
          timeZone={hold.timeZone}
          onChoose={onChoose}
        />
      ) : (
        <Skeleton className="h-32 w-full" />
      )}
      <ProfileLink
        id={hold.provider.id}
        region={hold.region}
        distance={hold.distance}
        asked={visitParamsOf(hold)}
      >
        See all times
      </ProfileLink>
    </CheckoutFrame>
  )
}
