import { useEffect, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { LiveRegion } from '#app/ui/skip-link.tsx'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { clockText } from '#contract/time.ts'
import type { Landing } from './drag-rules.ts'
import { MOVE_KEY } from './use-visit-drag.ts'

/**
 * Drag handle of a card for touch; a mouse drags the whole card. The dots are a CSS background: an icon in
 * each of two hundred cards would dominate rendering.
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

type DropPreviewProps = {
  landing: Landing & { visit: WeekVisit; by: 'pointer' | 'keys' }
  timeZone: string
  size: { top: number; height: number }
}

/** Preview of where a dragged visit would land, or why it cannot; remounted for each spot. */
export function DropPreview({ landing, timeZone, size }: DropPreviewProps) {
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

/** Instructions for moving visits, and a live region for screen readers. */
export function MoveHelp({ id, said }: { id: string; said: string }) {
  return (
    <>
      <p id={id} className="no-print mt-3 text-sm text-muted">
        To move a visit, drag it<span className="hidden pointer-coarse:inline"> by its handle</span>{' '}
        to a free time. You can move one you added yourself to any time nobody is booked. With the
        keyboard, select it and press {MOVE_KEY}, then the arrow keys, and Enter.
      </p>
      <LiveRegion text={said} />
    </>
  )
}
