import type { Preview, PreviewDay, PreviewInput } from '#contract/availability.ts'
import { DAY_MS, dateOfDay, dayNumber } from '#contract/time.ts'
import { listClaims } from '#server/availability/slots/fill-store.ts'
import { isOpen, planSlots } from '#server/availability/slots/plan-slots.ts'
import type { Context } from '#server/context.ts'
import { holidayOn } from './holiday-rules.ts'
import {
  closedOn,
  daysInView,
  hoursOn,
  isWithinHours,
  offeredFrom,
  placeOf,
  type Rules,
} from './hours-rules.ts'
import { applyDraft } from './input-rules.ts'
import { listConflicts } from './list-conflicts.ts'
import {
  assertDateInRange,
  getOwner,
  getOwnSchedule,
  type OwnSchedule,
  placeIdOf,
} from './read-availability.ts'
import { dayAt } from './zone-rules.ts'

type Claim = Awaited<ReturnType<typeof listClaims>>[number]
type Days = { from: number; until: number }

/** A day's slots and visits. */
type Tally = Pick<PreviewDay, 'free' | 'held' | 'booked' | 'outside'>

/** No zone's calendar day is further from the UTC day. */
const MAX_ZONE_OFFSET_MS = 15 * 3_600_000

/** Holds, visits and desk visits on some days. */
export function claimsOn(ctx: Context, { owner }: OwnSchedule, days: Days): Promise<Claim[]> {
  return listClaims(ctx.database.db, {
    providerNos: [owner.no],
    from: days.from * DAY_MS - MAX_ZONE_OFFSET_MS,
    until: days.until * DAY_MS + MAX_ZONE_OFFSET_MS,
  })
}

type View = { rules: Rules; days: Days; claims: readonly Claim[] }

function tallyOf(mine: OwnSchedule, { rules, days, claims }: View): Map<number, Tally> {
  const tallies = new Map<number, Tally>()
  const at = (timeZone: string, instant: number): Tally => {
    const day = dayAt(timeZone, instant)
    const tally = tallies.get(day) ?? { free: 0, held: 0, booked: 0, outside: 0 }
    tallies.set(day, tally)
    return tally
  }
  const taken = claims.map((claim) => ({ start: claim.start_at, end: claim.end_at }))
  const from = offeredFrom(rules, mine.now)
  const until = Math.min(days.until, daysInView(rules, mine.now).until)
  for (const { start, placeNo } of planSlots(rules, { from: days.from, until })) {
    const timeZone = placeOf(rules, placeNo)?.timeZone ?? 'UTC'
    if (start >= from && isOpen(taken, start, rules)) at(timeZone, start).free += 1
  }
  for (const { place_no: placeNo, start_at: start, end_at: end, ...claim } of claims) {
    // The claim's own zone: the place may have been removed since.
    const tally = at(claim.time_zone, start)
    if (claim.state === 'held') tally.held += 1
    else {
      tally.booked += 1
      if (!isWithinHours(rules, { placeNo, start, end })) tally.outside += 1
    }
  }
  return tallies
}

type ClosedDay = Pick<PreviewDay, 'closed' | 'note'>

function whyClosed({ today, now }: OwnSchedule, rules: Rules, day: number): ClosedDay {
  if (day < today) return { closed: 'past', note: '' }
  const hours = hoursOn(rules, day)
  if (hours.length === 0) return { closed: 'no_hours', note: '' }
  const reasons = hours.map(({ placeNo, isExtra }) => {
    const place = placeOf(rules, placeNo)
    return place === undefined ? null : closedOn(rules, place, { day, isExtra })
  })
  const [first] = reasons
  if (first !== undefined && first !== null && !reasons.includes(null)) {
    return { closed: first.why, note: first.why === 'absence' ? first.note : '' }
  }
  return { closed: day < daysInView(rules, now).until ? null : 'horizon', note: '' }
}

const EMPTY_TALLY: Tally = { free: 0, held: 0, booked: 0, outside: 0 }

function previewDay(mine: OwnSchedule, rules: Rules, day: number): Omit<PreviewDay, keyof Tally> {
  const calendar = rules.places[0]?.holidays
  return {
    date: dateOfDay(day),
    ...whyClosed(mine, rules, day),
    holiday: calendar === undefined ? null : holidayOn(calendar, day),
    hours: hoursOn(rules, day).map(({ placeNo, from, to, isExtra }) => ({
      placeId: placeIdOf(mine, placeNo),
      from,
      to,
      extra: isExtra,
    })),
  }
}

/**
 * Previews the coming weeks with the viewer's rules or with unsaved hours, and finds the booked visits that
 * those would leave outside.
 */
export async function previewWeeks(ctx: Context, input: PreviewInput): Promise<Preview> {
  const { db } = ctx.database
  const mine = await getOwnSchedule(db, await getOwner(ctx, db), ctx.now())
  const rules = input.draft === undefined ? mine.rules : applyDraft(mine, input.draft)
  const from = input.from === undefined ? mine.today : dayNumber(input.from)
  assertDateInRange(mine, from)
  const days = { from, until: from + input.days }
  const tallies = tallyOf(mine, { rules, days, claims: await claimsOn(ctx, mine, days) })
  const change = { providerNo: mine.owner.no, before: mine.rules, after: rules }
  return {
    timeZone: rules.places[0]?.timeZone ?? 'UTC',
    days: Array.from({ length: input.days }, (_, n) => ({
      ...previewDay(mine, rules, from + n),
      ...(tallies.get(from + n) ?? EMPTY_TALLY),
    })),
    conflicts: input.draft === undefined ? [] : await listConflicts(db, change, mine.now),
  }
}
