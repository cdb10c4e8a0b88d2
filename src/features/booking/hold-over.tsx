import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import { trpc } from '#app/trpc.ts'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Hold } from '#contract/booking.ts'
import { POLL_MS, POLL_TRIES } from '#contract/payments.ts'
import { CheckoutFrame } from './checkout-frame.tsx'
import { NearestFree } from './nearest-free.tsx'
import { ProfileLink } from './profile-link.tsx'

type End = 'released' | 'booked' | 'unsure'

const ends = { released: 'released', confirmed: 'booked', held: 'unsure' } as const

/**
 * How it ended. Leaving makes a payment that could still come impossible; when that no longer works
 * somebody has paid in the last second, or is just paying.
 */
function useEnd(hold: Hold) {
  const utils = trpc.useUtils()
  return useQuery({
    queryKey: [['payments', 'leave'], hold.id],
    queryFn: async (): Promise<End> => {
      const { released } = await utils.client.payments.leave.mutate({ holdId: hold.id })
      if (released) return 'released'
      const { state } = await utils.client.booking.current.query({ holdId: hold.id })
      return ends[state]
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data === 'unsure' && state.dataUpdateCount < POLL_TRIES ? POLL_MS : false,
  })
}

type HoldOverProps = {
  hold: Hold
  wanted: SlotChoice
  onChoose: (choice: SlotChoice) => void
  /** It was paid for in time after all. */
  onBooked: () => void
}

/** The time could not be kept any longer: what that means, and three others. */
export function HoldOver({ hold, wanted, onChoose, onBooked }: HoldOverProps) {
  const utils = trpc.useUtils()
  const { data: end, error } = useEnd(hold)
  useEffect(() => {
    if (end === 'booked') onBooked()
    // The time is free again, and belongs into the list.
    if (end === 'released') void utils.availability.freeTimes.invalidate()
  }, [end, onBooked, utils])
  const isKnown = end !== undefined || error !== null
  return (
    <CheckoutFrame
      title="Your time is no longer held"
      lead={
        <p role="status">
          {end === 'released' && 'Nothing was charged, and what you wrote is kept.'}
          {!isKnown && 'We make sure that nothing is charged.'}
        </p>
      }
    >
      {(end === 'unsure' || error !== null) && (
        <Notice kind="info" role="status" title="A payment may be on its way">
          <p>
            If it comes through, the visit is yours and we mail you. If not, nothing is charged. Do
            not pay again for this time.
          </p>
        </Notice>
      )}
      {isKnown ? (
        <NearestFree
          providerId={hold.provider.id}
          wanted={wanted}
          timeZone={hold.timeZone}
          onChoose={onChoose}
        />
      ) : (
        <Skeleton className="h-32 w-full" />
      )}
      <ProfileLink id={hold.provider.id} region={hold.region} distance={hold.distance}>
        See all times
      </ProfileLink>
    </CheckoutFrame>
  )
}
