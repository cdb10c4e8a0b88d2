import { Clock } from 'lucide-react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown } from '#app/lib/format-countdown.ts'
import { useTimeLeft } from '#app/lib/use-time-left.ts'
import { trpc } from '#app/trpc.ts'
import { LiveRegion } from '#app/ui/live-region.tsx'
import type { Hold } from '#contract/booking.ts'
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
      <Clock aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
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
