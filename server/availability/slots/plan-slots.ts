import { DAY_MS } from '#contract/base/time.ts'
import type { Instant } from '#db/columns.ts'
import type { SlotRow } from '#db/tables/availability.ts'
import {
  blockedAround,
  blockedBy,
  type Day,
  type Opening,
  openingsOn,
  placeOf,
  type Rules,
} from '#server/availability/hours/hours-rules.ts'
import { zoneOf } from '#server/availability/rules.ts'

/** A time at which a visit of `rules.minutes` could begin. */
export type PlannedSlot = { start: Instant; placeNo: number }

const MINUTE = 60_000

/**
 * Slots within one opening; a start that clocks skip is left out, one that occurs twice is included twice.
 */
function slotsIn(rules: Rules, day: Day, { placeNo, from, to }: Opening): PlannedSlot[] {
  const timeZone = placeOf(rules, placeNo)?.timeZone
  if (timeZone === undefined) return []
  const zone = zoneOf(timeZone)
  const closes = zone.lastInstant(day * DAY_MS + to * MINUTE)
  const slots: PlannedSlot[] = []
  const step = rules.minutes + rules.bufferMinutes
  for (let at = from; at + rules.minutes <= to; at += step) {
    for (const start of zone.instants(day * DAY_MS + at * MINUTE)) {
      // When clocks go forward, the last visit would run past the hours.
      if (start + rules.minutes * MINUTE <= closes) slots.push({ start, placeNo })
    }
  }
  return slots
}

/**
 * The slots of one day that overlap no blocked or busy time, earliest first. Of two that overlap or lack the
 * buffer, the earlier stays; of two at the same instant, that of the opening with the earlier local start.
 * Blocked and busy times remove slots but do not shift them, so that booked visits stay aligned.
 */
function slotsOn(rules: Rules, day: Day, busy: readonly Claimed[]): PlannedSlot[] {
  const blocked = blockedAround(rules, day)
  const visitMs = rules.minutes * MINUTE
  const all = openingsOn(rules, day)
    .flatMap((opening) => slotsIn(rules, day, opening))
    .filter(({ start }) => blockedBy(blocked, { start, end: start + visitMs }) === undefined)
    .filter(({ start }) => !isClaimed(busy, start, start + visitMs))
  const kept: PlannedSlot[] = []
  const length = (rules.minutes + rules.bufferMinutes) * MINUTE
  for (const slot of all.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1)
    if (last === undefined || slot.start >= last.start + length) kept.push(slot)
  }
  return kept
}

/**
 * The slots of some days, `until` exclusive, earliest first, as the rules define them, regardless of bookings
 * and the current time. Days are local to each place. Pure: the result for a day does not depend on the range
 * requested.
 */
export function planSlots(rules: Rules, days: { from: Day; until: Day }): PlannedSlot[] {
  const slots: PlannedSlot[] = []
  const length = (rules.minutes + rules.bufferMinutes) * MINUTE
  const busy = mergeSpans(rules.busy)
  let before = slotsOn(rules, days.from - 1, busy)
  for (let day = days.from; day < days.until; day += 1) {
    const ofDay = slotsOn(rules, day, busy)
    const last = before.at(-1)
    for (const slot of ofDay) {
      const isLater = last === undefined || slot.start >= last.start + length
      // Where a day begins much earlier than at another place, its slots may lie between those of the day before.
      if (isLater || before.every(({ start }) => Math.abs(slot.start - start) >= length)) {
        slots.push(slot)
      }
    }
    if (ofDay.length > 0) before = ofDay
  }
  return slots.toSorted((a, b) => a.start - b.start)
}

/** An existing slot. */
export type ExistingSlot = Omit<SlotRow, 'provider_no'>
/** Held or booked time. */
export type Claimed = { start: Instant; end: Instant }

type SlotPlan = {
  planned: readonly PlannedSlot[]
  /** Length of a visit. */
  minutes: number
  bufferMinutes: number
}

/** The changes to write. `added` replaces a slot with the same start. */
export type SlotDiff = { removed: Instant[]; added: PlannedSlot[]; firstFree: Instant | null }

/** Merges time ranges, sorted by start, so that they do not overlap. */
function mergeSpans(spans: readonly Claimed[]): Claimed[] {
  const apart: Claimed[] = []
  for (const { start, end } of spans) {
    const last = apart.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else apart.push({ start, end })
  }
  return apart
}

/** Whether a claim overlaps a time range; `claims` are sorted and do not overlap. */
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

/** Whether a planned slot can be offered next to the claims, with the buffer kept. */
export function isOpen(
  claims: readonly Claimed[],
  start: Instant,
  plan: Omit<SlotPlan, 'planned'>,
) {
  const buffer = plan.bufferMinutes * MINUTE
  return !isClaimed(claims, start - buffer, start + plan.minutes * MINUTE + buffer)
}

/**
 * The changes from the existing slots to the planned ones. Slots that overlap a claim are left alone, and
 * none is added that does.
 */
export function diffSlots(
  plan: SlotPlan,
  existing: readonly ExistingSlot[],
  claims: readonly Claimed[],
): SlotDiff {
  const offered = plan.planned.filter(({ start }) => isOpen(claims, start, plan))
  const starts = new Set(offered.map(({ start }) => start))
  const byStart = new Map(existing.map((slot) => [slot.start_at, slot]))
  const removed = existing
    .filter(({ start_at: start }) => !starts.has(start))
    .filter(({ start_at: start, minutes }) => !isClaimed(claims, start, start + minutes * MINUTE))
    .map(({ start_at: start }) => start)
  const added = offered.filter(({ start, placeNo }) => {
    const there = byStart.get(start)
    if (there === undefined) return true
    if (isClaimed(claims, start, start + there.minutes * MINUTE)) return false
    return there.free === 0 || there.minutes !== plan.minutes || there.place_no !== placeNo
  })
  return { removed, added, firstFree: offered[0]?.start ?? null }
}
