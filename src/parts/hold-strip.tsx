import { Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#app/lib/cx.ts'
import { formatCountdown } from '#app/lib/format.ts'
import { useTimeLeft } from '#app/lib/server-clock.ts'
import { LiveRegion } from '#app/ui/skip-link.tsx'

const MINUTE = 60_000
/** Below this, the strip warns that time is short and changes colour. */
const SHORT_MS = 2 * MINUTE

/** Announcements worth interrupting a screen reader for; each stays the same until the next. */
const spokenTime = [
  { below: MINUTE, words: 'Held for you for less than a minute.' },
  { below: SHORT_MS, words: 'Held for you for 2 more minutes.' },
  { below: 5 * MINUTE, words: 'Held for you for 5 more minutes.' },
] as const

function leftText(left: number, hint: string | undefined): string {
  const words = spokenTime.find(({ below }) => left <= below)?.words
  if (words === undefined) return ''
  return hint === undefined ? words : `${words} ${hint}`
}

type HoldStripProps = {
  holdUntil: string
  /** Announced to screen readers until time is short. */
  announce?: string | undefined
  /** Announced after the remaining minutes. */
  hint?: string | undefined
  /** Actions at the end of the strip. */
  children?: ReactNode
  className?: string | undefined
}

/** "Held for you 9:42". Announced when there are 5, 2 and 1 minutes left. */
export function HoldStrip({ holdUntil, announce, hint, children, className }: HoldStripProps) {
  const left = useTimeLeft(holdUntil)
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
      {children}
      <LiveRegion text={announce !== undefined && !isShort ? announce : leftText(left, hint)} />
    </div>
  )
}
