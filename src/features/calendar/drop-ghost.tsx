import { useEffect, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { LiveRegion } from '#app/ui/skip-link.tsx'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { clockText } from '#contract/time.ts'
import type { Landing } from './moving.ts'
import { MOVE_KEY } from './use-moving.ts'

/**
 * Takes hold of a card by finger; a mouse takes hold of all of it, and keys need none. Its dots are no
 * icon: in two hundred cards those would be most of what is drawn.
 */
export function MoveHandle() {
  return (
    <span
      aria-hidden="true"
      data-handle
      className="absolute inset-y-px right-px z-10 hidden w-7 touch-none bg-[radial-gradient(var(--muted)_1.5px,transparent_2px)] bg-size-[6px_6px] bg-center bg-clip-content px-2 py-2 pointer-coarse:block"
    />
  )
}

type DropGhostProps = {
  landing: Landing & { visit: WeekVisit; by: 'pointer' | 'keys' }
  timeZone: string
  size: { top: number; height: number }
}

/** Where what is carried would come down, or why it cannot; each spot has one of its own. */
export function DropGhost({ landing, timeZone, size }: DropGhostProps) {
  const { visit, from, choice, why, by } = landing
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (by === 'keys') element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [by])
  return (
    <div
      ref={element}
      aria-hidden="true"
      style={{ top: size.top, minHeight: size.height }}
      className={cx(
        'pointer-events-none absolute inset-x-0 z-30 scroll-m-12 rounded-field border-2 px-1.5 text-sm leading-tight shadow-float',
        choice === null
          ? 'border-dashed border-danger bg-surface text-danger'
          : 'border-brand bg-tint text-brand-deep',
      )}
    >
      <span className="tabular block font-semibold">
        {clockText(from, timeZone !== 'Europe/London')} {visit.patientName}
      </span>
      {why}
    </div>
  )
}

/** How visits are moved in the calendar, and for screen readers what becomes of it. */
export function MoveHelp({ id, said }: { id: string; said: string }) {
  return (
    <>
      <p id={id} className="no-print mt-3 text-sm text-muted">
        To move a visit, drag it<span className="hidden pointer-coarse:inline"> by its handle</span>{' '}
        to a free time; one you put in yourself goes to any time nobody is booked. With the
        keyboard, select it and press {MOVE_KEY}, then the arrow keys, and Enter.
      </p>
      <LiveRegion text={said} />
    </>
  )
}
