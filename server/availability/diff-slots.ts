import type { Instant } from '#db/columns.ts'
import type { SlotRow } from '#db/tables/availability.ts'
import type { PlannedSlot } from './plan-slots.ts'

/** A slot that is there. */
export type KnownSlot = Omit<SlotRow, 'provider_no'>
/** Time that somebody holds or has booked. */
export type Claimed = { start: Instant; end: Instant }

type Wanted = {
  planned: readonly PlannedSlot[]
  /** Of a visit. */
  minutes: number
  bufferMinutes: number
}

/** What has to be written. `added` takes the place of a slot with the same start. */
export type SlotDiff = { removed: Instant[]; added: PlannedSlot[]; firstFree: Instant | null }

const MINUTE = 60_000

/** Whether a claim meets a stretch of time; `claims` are ascending and do not overlap. */
function isClaimed(claims: readonly Claimed[], start: Instant, end: Instant): boolean {
  let low = 0
  let high = claims.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((claims[middle]?.end ?? 0) > start) high = middle
    else low = middle + 1
  }
  const next = claims[low]
  return next !== undefined && next.start < end
}

/** Whether a planned slot can be offered beside what is held and booked, the buffer kept. */
export function isOpen(
  claims: readonly Claimed[],
  start: Instant,
  wanted: Omit<Wanted, 'planned'>,
) {
  const buffer = wanted.bufferMinutes * MINUTE
  return !isClaimed(claims, start - buffer, start + wanted.minutes * MINUTE + buffer)
}

/**
 * What turns the slots that are there into those that are wanted. Slots that a claim meets are left
 * alone, and nothing is added that meets one.
 */
export function diffSlots(
  wanted: Wanted,
  known: readonly KnownSlot[],
  claims: readonly Claimed[],
): SlotDiff {
  const offered = wanted.planned.filter(({ start }) => isOpen(claims, start, wanted))
  const starts = new Set(offered.map(({ start }) => start))
  const byStart = new Map(known.map((slot) => [slot.start_at, slot]))
  const removed = known
    .filter(({ start_at: start }) => !starts.has(start))
    .filter(({ start_at: start, minutes }) => !isClaimed(claims, start, start + minutes * MINUTE))
    .map(({ start_at: start }) => start)
  const added = offered.filter(({ start, placeNo }) => {
    const there = byStart.get(start)
    if (there === undefined) return true
    if (isClaimed(claims, start, start + there.minutes * MINUTE)) return false
    return there.free === 0 || there.minutes !== wanted.minutes || there.place_no !== placeNo
  })
  return { removed, added, firstFree: offered[0]?.start ?? null }
}
