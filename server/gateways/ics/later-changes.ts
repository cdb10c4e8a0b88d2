import { first, type RawEvent, type Span } from './calendar-file.ts'

/** A change of an occurrence of a series and of all later ones. */
export type LaterChange = {
  isBusy: boolean
  /** When its own occurrence was to begin, in epoch milliseconds. */
  from: number
  /** How much later occurrences begin then, as clocks show it, so that they keep the new time of day. */
  shift: Temporal.Duration
  length: Temporal.Duration
  zone: string
  /** How far outside a range an occurrence may begin that the change puts into it. */
  reachMs: number
}

/** Whether an entry changes an occurrence and all later ones (RFC 5545, 3.2.13), not that one alone. */
export function isForLater(event: RawEvent): boolean {
  return /;RANGE="?THISANDFUTURE\b/i.test(first(event, 'RECURRENCE-ID')?.params ?? '')
}

function wallOf(at: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime()
}

type Change = Pick<LaterChange, 'isBusy' | 'from' | 'zone'> & {
  /** When its own occurrence takes place now. */
  to: Span
  isFullDay: boolean
}

/** A change as it applies to later occurrences. `zone`: that of the series. */
export function laterChangeOf({ to, isFullDay, ...change }: Change): LaterChange {
  const { from, zone } = change
  const [start, end] = [wallOf(to.start, zone), wallOf(to.end, zone)]
  return {
    ...change,
    shift: wallOf(from, zone).until(start),
    // A day may have 23 or 25 hours; other lengths are exact (RFC 5545, 3.8.5.3).
    length: isFullDay
      ? start.until(end)
      : Temporal.Duration.from({ milliseconds: to.end - to.start }),
    reachMs: Math.max(Math.abs(to.start - from), Math.abs(to.end - from)),
  }
}

/** When an occurrence takes place after such a change. */
export function changedSpan({ start }: Span, { shift, length, zone }: LaterChange): Span {
  const changed = wallOf(start, zone).add(shift).toZonedDateTime(zone)
  return { start: changed.epochMilliseconds, end: changed.add(length).epochMilliseconds }
}
