import { DAY_MS } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import { type Day, type Opening, openingsOn, placeOf, type Rules } from './hours-rules.ts'
import { zoneOf } from './zone-rules.ts'

/** A time a provider could see somebody, `rules.minutes` long. */
export type PlannedSlot = { start: Instant; placeNo: number }

const MINUTE = 60_000

/** Starts within one opening; one that clocks skip is left out, one they show twice comes twice. */
function slotsIn(rules: Rules, day: Day, { placeNo, from, to }: Opening): PlannedSlot[] {
  const timeZone = placeOf(rules, placeNo)?.timeZone
  if (timeZone === undefined) return []
  const zone = zoneOf(timeZone)
  const closes = zone.lastInstant(day * DAY_MS + to * MINUTE)
  const slots: PlannedSlot[] = []
  const step = rules.minutes + rules.bufferMinutes
  for (let at = from; at + rules.minutes <= to; at += step) {
    for (const start of zone.instants(day * DAY_MS + at * MINUTE)) {
      // Where clocks go forward the last visit would go on after the hours.
      if (start + rules.minutes * MINUTE <= closes) slots.push({ start, placeNo })
    }
  }
  return slots
}

/** The slots of one day, earliest first; of two that meet, or lack the buffer, the earlier stays. */
function slotsOn(rules: Rules, day: Day): PlannedSlot[] {
  const all = openingsOn(rules, day).flatMap((opening) => slotsIn(rules, day, opening))
  const kept: PlannedSlot[] = []
  const length = (rules.minutes + rules.bufferMinutes) * MINUTE
  for (const slot of all.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1)
    if (last === undefined || slot.start >= last.start + length) kept.push(slot)
  }
  return kept
}

/**
 * The slots of some days, `until` not included, earliest first: what the rules say, whatever is booked
 * and whatever the time. Days are those of each place. Pure, and the same for the same days however
 * they are asked for.
 */
export function planSlots(rules: Rules, days: { from: Day; until: Day }): PlannedSlot[] {
  const slots: PlannedSlot[] = []
  const length = (rules.minutes + rules.bufferMinutes) * MINUTE
  let before = slotsOn(rules, days.from - 1).at(-1)
  for (let day = days.from; day < days.until; day += 1) {
    const ofDay = slotsOn(rules, day)
    for (const slot of ofDay) {
      if (before === undefined || slot.start >= before.start + length) slots.push(slot)
    }
    before = ofDay.at(-1) ?? before
  }
  return slots
}
