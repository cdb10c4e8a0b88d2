import { useQuery } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useEffect } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown } from '#app/lib/format.ts'
import { useTimeLeft } from '#app/lib/server-clock.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import { trpc } from '#app/trpc.ts'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LiveRegion } from '#app/ui/skip-link.tsx'
import type { Hold } from '#contract/booking.ts'
import { POLL_MS, POLL_TRIES } from '#contract/payments.ts'
import { CheckoutFrame } from './checkout-frame.tsx'
import { NearestFree } from './kept-times.tsx'
import { ProfileLink } from './profile-link.tsx'
import type { UpdateHold } from './use-hold.ts'

const MINUTE = 60_000
/** From here on it is said that time runs short, and in colour. */
const SHORT_MS = 2 * MINUTE

/** What is worth interrupting a reader for; the same words until the next of them. */
const spoken = [
  { below: MINUTE, words: 'Held for you for less than a minute.' },
  { below: SHORT_MS, words: 'Held for you for 2 more minutes.' },
  { below: 5 * MINUTE, words: 'Held for you for 5 more minutes.' },
] as const

function inWords(left: number, canRenew: boolean): string {
  const words = spoken.find(({ below }) => left <= below)?.words
  if (words === undefined) return ''
  return canRenew ? `${words} You can keep it for longer.` : words
}

type HoldClockProps = { hold: Hold; update: UpdateHold; className?: string }

/** "Held for you 9:42", and one renewal. Announced when there are 5, 2 and 1 minutes left. */
export function HoldClock({ hold, update, className }: HoldClockProps) {
  const left = useTimeLeft(hold.holdUntil)
  const renew = trpc.booking.renew.useMutation({
    onSuccess: ({ holdUntil, canRenew }) => update((now) => ({ ...now, holdUntil, canRenew })),
  })
  const isShort = left <= SHORT_MS
  return (
    <div
      className={cx(
        'flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-1 transition-colors duration-200',
        isShort ? 'bg-accent-tint text-accent' : 'bg-tint text-brand-deep',
        className,
      )}
    >
      <Clock aria-hidden="true" className="size-5 shrink-0" />
      <p role="timer" aria-live="off" className="font-medium">
        Held for you <span className="tabular font-semibold">{formatCountdown(left)}</span>
      </p>
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
      <LiveRegion
        text={renew.isSuccess && !isShort ? 'Kept for longer.' : inWords(left, hold.canRenew)}
      />
    </div>
  )
}

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
      title="Your hold has ended"
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
            If it goes through, the visit is yours and we’ll email you. If not, you won’t be
            charged. Do not pay again for this time.
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
