import type { TimeReason } from '#contract/availability.ts'
import { DAY_MS } from '#contract/base/time.ts'
import type { Instant } from '#db/columns.ts'
import { dayAt, startOfDay, zoneOf } from '#server/availability/rules.ts'
import { type Claimed, isOpen, planSlots } from '#server/availability/slots/plan-slots.ts'
import {
  type Blocked,
  type BusyTime,
  blockedAround,
  blockedBy,
  closedOn,
  daysInView,
  hoursOn,
  offeredFrom,
  placeOf,
  type Rules,
} from './hours-rules.ts'

const MINUTE = 60_000

/** Occupied time, and whether it is only held. */
export type Taken = Claimed & { isHeld: boolean }

/** Hours of a day as instants. */
type OpenHours = {
  from: Instant
  until: Instant
  placeNo: number
  closed: TimeReason | null
  note: string
  isInView: boolean
}

/** A planned slot, and why it is not offered; `free` if it is. */
export type DaySlot = { start: Instant; end: Instant; placeNo: number; reason: TimeReason }

/** Everything that decides what can be booked on one day of a zone. */
export type DayPlan = {
  from: Instant
  until: Instant
  now: Instant
  rules: Rules
  hours: OpenHours[]
  slots: DaySlot[]
  taken: readonly Taken[]
  blocked: readonly Blocked[]
  busy: readonly BusyTime[]
  isInView: boolean
}

/** The hours of a day at each place, in its own zone. */
function openOn(rules: Rules, { day, now }: { day: number; now: Instant }): OpenHours[] {
  const isInView = day < daysInView(rules, now).until
  return hoursOn(rules, day).flatMap(({ placeNo, from, to, isExtra }) => {
    const place = placeOf(rules, placeNo)
    if (place === undefined) return []
    const zone = zoneOf(place.timeZone)
    const wall = (minutes: number) => day * DAY_MS + minutes * MINUTE
    const closed = closedOn(rules, place, { day, isExtra })
    return [
      {
        from: zone.instants(wall(from))[0] ?? zone.skippedAt(wall(from)),
        until: zone.lastInstant(wall(to)),
        placeNo,
        closed: closed?.why ?? null,
        note: closed?.note ?? '',
        isInView,
      },
    ]
  })
}

/** Occupied time of a day; `taken` is sorted. */
export type Occupied = { taken: readonly Taken[]; busy: readonly BusyTime[] }

/** Plans one day. At a place in another zone it may be part of the day before or after. */
export function planDay(
  rules: Rules,
  { day, now, timeZone }: { day: number; now: Instant; timeZone: string },
  { taken, busy }: Occupied,
): DayPlan {
  const view = daysInView(rules, now)
  const [from, until] = [startOfDay(timeZone, day), startOfDay(timeZone, day + 1)]
  const slots = planSlots(rules, { from: day - 1, until: day + 2 })
    .map(({ start, placeNo }) => ({ start, end: start + rules.minutes * MINUTE, placeNo }))
    .filter(({ start, end }) => start < until && from < end)
    .map(({ start, end, placeNo }): DaySlot => {
      const dayThere = dayAt(placeOf(rules, placeNo)?.timeZone ?? timeZone, start)
      const claim = taken.find((one) => one.start < end && one.end > start)
      let reason: TimeReason = 'free'
      if (claim !== undefined) reason = claim.isHeld ? 'held' : 'booked'
      else if (start < now) reason = 'past'
      else if (dayThere >= view.until) reason = 'horizon'
      else if (start < offeredFrom(rules, now)) reason = 'notice'
      else if (!isOpen(taken, start, rules)) reason = 'buffer'
      return { start, end, placeNo, reason }
    })
  const hours = [day - 1, day, day + 1].flatMap((one) => openOn(rules, { day: one, now }))
  return {
    from,
    until,
    now,
    rules,
    hours: hours.filter((open) => open.from < until && from < open.until),
    slots,
    taken,
    blocked: blockedAround(rules, day),
    busy,
    isInView: day < view.until,
  }
}

export type TimeStatus = { reason: TimeReason; placeNo: number | null; note: string }

/** The busy time that overlaps a time range; an imported one first, because it has a name. */
export function busyAt({ busy }: DayPlan, { start, end }: Claimed): BusyTime | undefined {
  const overlapping = busy.filter((one) => one.start < end && start < one.end)
  return overlapping.find(({ reason }) => reason === 'blocked') ?? overlapping[0]
}

/** Why a visit can or cannot take place at an instant. */
export function statusAt(plan: DayPlan, at: Instant): TimeStatus {
  const claim = plan.taken.find(({ start, end }) => start <= at && at < end)
  const open = plan.hours.find(({ from, until }) => from <= at && at < until)
  const there = { placeNo: open?.placeNo ?? null, note: open?.note ?? '' }
  if (claim !== undefined) return { ...there, reason: claim.isHeld ? 'held' : 'booked' }
  if (at < plan.now) return { ...there, reason: 'past' }
  const blocked = blockedBy(plan.blocked, { start: at, end: at + 1 })
  if (blocked !== undefined) return { ...there, note: blocked.note, reason: 'blocked' }
  const busy = busyAt(plan, { start: at, end: at + 1 })
  if (busy !== undefined) return { ...there, note: busy.note, reason: busy.reason }
  if (open === undefined) return { ...there, reason: 'outside_hours' }
  if (open.closed !== null) return { ...there, reason: open.closed }
  if (!open.isInView) return { ...there, reason: 'horizon' }
  const slot = plan.slots.find(({ start, end }) => start <= at && at < end)
  if (slot !== undefined) {
    // The rest of a slot that another claim overlaps.
    const isCut = slot.reason === 'booked' || slot.reason === 'held' || slot.reason === 'past'
    return { ...there, reason: isCut ? 'between_visits' : slot.reason }
  }
  const buffer = plan.rules.bufferMinutes * MINUTE
  const isAfterVisit = [...plan.slots, ...plan.taken].some(
    ({ end }) => end <= at && at < end + buffer,
  )
  return { ...there, reason: isAfterVisit ? 'buffer' : 'between_visits' }
}

export type DayStretch = TimeStatus & { from: Instant; until: Instant }

/** A day divided into adjacent parts with the same reason, place and note. */
export function stretchesOf(plan: DayPlan): DayStretch[] {
  const buffer = plan.rules.bufferMinutes * MINUTE
  const edges = [
    plan.from,
    plan.now,
    ...plan.hours.flatMap(({ from, until }) => [from, until]),
    ...plan.slots.flatMap(({ start, end }) => [start, end, end + buffer]),
    ...plan.taken.flatMap(({ start, end }) => [start, end, end + buffer]),
    ...plan.blocked.flatMap(({ start, end }) => [start, end]),
    ...plan.busy.flatMap(({ start, end }) => [start, end]),
  ].filter((edge) => plan.from <= edge && edge < plan.until)
  const sorted = [...new Set(edges)].toSorted((a, b) => a - b)
  const stretches: DayStretch[] = []
  for (const [at, from] of sorted.entries()) {
    const until = sorted[at + 1] ?? plan.until
    const moment = statusAt(plan, from)
    const last = stretches.at(-1)
    const isSame =
      last !== undefined &&
      last.reason === moment.reason &&
      last.placeNo === moment.placeNo &&
      last.note === moment.note
    if (isSame) last.until = until
    else stretches.push({ ...moment, from, until })
  }
  return stretches
}
