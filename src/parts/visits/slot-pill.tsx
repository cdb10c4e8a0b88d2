import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cx } from '#app/lib/cx.ts'
import { dayOf, formatDay, formatTime, zoneOfRepeated } from '#app/lib/format/dates.ts'

type Slot = { startsAt: string; timeZone: string; isSoonest?: boolean }

const pill =
  'tabular inline-flex min-h-11 min-w-19 items-center justify-center rounded-field border px-3 text-base font-semibold ' +
  'whitespace-nowrap no-underline transition-colors duration-150 hover:border-brand hover:bg-brand hover:text-on-brand ' +
  'aria-pressed:border-brand aria-pressed:bg-brand aria-pressed:text-on-brand'

function pillClass({ startsAt, timeZone, isSoonest }: Slot, className: string | undefined): string {
  const ground = isSoonest
    ? 'border-accent bg-accent-tint text-accent'
    : 'border-field bg-surface text-brand-deep'
  // A time with its zone takes two lines where pills are narrow.
  const isLong = zoneOfRepeated(startsAt, timeZone) !== null
  return cx(pill, ground, isLong && 'text-center leading-tight whitespace-normal!', className)
}

/**
 * "10:30, Thursday 19 February" as a label: with a hidden comma in the text, screen readers would read a
 * space before it.
 */
function nameOf({ startsAt, timeZone }: Slot): string {
  return `${formatTime(startsAt, timeZone)}, ${formatDay(dayOf(startsAt, timeZone), timeZone, 'long')}`
}

type SlotPillProps = Slot & Omit<ComponentProps<'button'>, 'children'> & { isSelected: boolean }

/** A free time to choose, announced with its full day. The soonest is in the accent colour. */
export function SlotPill(props: SlotPillProps) {
  const { startsAt, timeZone, isSoonest: _isSoonest, isSelected, className, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      aria-label={nameOf(props)}
      aria-pressed={isSelected}
      className={pillClass(props, className)}
    >
      {formatTime(startsAt, timeZone)}
    </button>
  )
}

function SlotAnchor(props: Slot & Omit<ComponentProps<'a'>, 'children'>) {
  const { startsAt, timeZone, isSoonest: _isSoonest, className, ...rest } = props
  return (
    <a {...rest} aria-label={nameOf(props)} className={pillClass(props, className)}>
      {formatTime(startsAt, timeZone)}
    </a>
  )
}

/** The same pill as a link, such as from a result to the profile with that time chosen. */
export const SlotLink = createLink(SlotAnchor)
