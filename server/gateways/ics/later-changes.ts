import { first, type RawEvent } from './calendar-file.ts'
import { paramOf } from './calendar-lines.ts'
import type { Entry } from './entries.ts'
import type { Instant, Span } from './times.ts'
import { instantOf, wallOf } from './zones.ts'

/** A change of an occurrence of a series and of all later ones. */
export type LaterChange = {
  change: Entry
  /** When its own occurrence was to begin. */
  from: Instant
  /** How much later occurrences begin then, as clocks of the series show it. */
  shiftMs: number
  /** How far outside a range an occurrence may begin that the change puts into it. */
  reachMs: number
}

/** Whether an entry changes an occurrence and all later ones (RFC 5545, 3.2.13), not that one alone. */
export function isForLater(event: RawEvent): boolean {
  const property = first(event, 'RECURRENCE-ID')
  return property !== undefined && paramOf(property, 'RANGE')?.toUpperCase() === 'THISANDFUTURE'
}

/** A change as it applies to later occurrences of a series. */
export function laterChangeOf(change: Entry, from: Instant, series: Entry): LaterChange {
  const { start, end } = change.span
  return {
    change,
    from,
    shiftMs: wallOf(change.start, series.zone) - wallOf(from, series.zone),
    reachMs: Math.max(Math.abs(start - from), Math.abs(end - from)),
  }
}

/** When an occurrence takes place after such a change: later occurrences keep its time of day. */
export function changedSpan(start: Instant, later: LaterChange, { zone }: Entry): Span {
  return later.change.spanAt(instantOf(wallOf(start, zone) + later.shiftMs, zone))
}
