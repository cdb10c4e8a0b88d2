import { DAY_MS, dayNumber } from '#contract/time.ts'
import { type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import {
  type Day,
  daysInView,
  offeredFrom,
  offerLead,
} from '#server/availability/hours/hours-rules.ts'
import type { Kept } from '#server/availability/hours/read-rules.ts'
import { startOfDay } from '#server/availability/hours/zone-rules.ts'
import { deleteSlots, listClaims, listSlots, type NewSlot, upsertSlots } from './fill-store.ts'
import { diffSlots, type PlannedSlot, planSlots } from './plan-slots.ts'

/** Minutes after midnight over which nightly work is spread. */
const SPREAD_MINUTES = 180

/** No zone's calendar day is further from the UTC day. */
const ZONES_APART_MS = 15 * 3_600_000

/** Longest visit including its buffer, in milliseconds: how far a claim can reach into adjacent time. */
export const LONGEST_MS = 15 * 3_600_000

/** Slots of a provider to regenerate, by their starts; `until` is exclusive. */
export type Stretch = { kept: Kept; from: Instant; until: Instant }

/** When the next day of a provider's slots is generated. */
export function nextExtension({ providerNo, rules }: Kept, now: Instant): Instant {
  const { from: today } = daysInView(rules, now)
  const zone = rules.places[0]?.timeZone ?? 'UTC'
  return startOfDay(zone, today + 1) + (providerNo % SPREAD_MINUTES) * 60_000
}

function plannedWithin({ kept, from, until }: Stretch, now: Instant): PlannedSlot[] {
  const view = daysInView(kept.rules, now)
  const days = {
    from: Math.floor((from - ZONES_APART_MS) / DAY_MS),
    until: Math.min(view.until, Math.ceil((until + ZONES_APART_MS) / DAY_MS) + 1),
  }
  const first = Math.max(from, offeredFrom(kept.rules, now))
  return planSlots(kept.rules, days).filter(({ start }) => first <= start && start < until)
}

/**
 * Brings slots in line with the rules: adds missing ones, deletes obsolete ones, and leaves held and booked
 * ones alone. Returns the first free slot by provider. The providers must be locked.
 */
export async function fillStretches(
  db: Db,
  stretches: readonly Stretch[],
  now: Instant,
): Promise<Map<number, Instant | null>> {
  if (stretches.length === 0) return new Map()
  const reach = {
    providerNos: stretches.map(({ kept }) => kept.providerNo),
    from: Math.min(...stretches.map(({ from }) => from)),
    until: Math.max(...stretches.map(({ until }) => until)),
  }
  const known = Map.groupBy(await listSlots(db, reach), (row) => row.provider_no)
  const around = { ...reach, from: reach.from - LONGEST_MS, until: reach.until + LONGEST_MS }
  const claims = Map.groupBy(await listClaims(db, around), (row) => row.provider_no)
  const added: NewSlot[] = []
  const firstFree = new Map<number, Instant | null>()
  for (const stretch of stretches) {
    const { providerNo, rules } = stretch.kept
    const inside = ({ start_at: start }: { start_at: Instant }) =>
      stretch.from <= start && start < stretch.until
    const diff = diffSlots(
      { ...rules, planned: plannedWithin(stretch, now) },
      (known.get(providerNo) ?? []).filter(inside),
      (claims.get(providerNo) ?? []).map((row) => ({ start: row.start_at, end: row.end_at })),
    )
    await deleteSlots(db, providerNo, diff.removed)
    for (const slot of diff.added) added.push({ ...slot, providerNo, minutes: rules.minutes })
    firstFree.set(providerNo, diff.firstFree)
  }
  await upsertSlots(db, added)
  return firstFree
}

/** When a free slot goes off the offer, including the job's margin; never where there is none. */
export function withdrawalOf(kept: Kept, firstFree: Instant | null): Instant {
  if (firstFree === null) return NEVER
  return firstFree - offerLead(kept.rules)
}

/** The day up to which a schedule has slots. */
export function generatedTo({ schedule }: Kept): Day {
  return dayNumber(schedule.generated_to)
}
