import type {
  ExplainInput,
  Explanation,
  Preview,
  PreviewDay,
  PreviewInput,
  TimeReason,
  WeekInput,
  WeekPlan,
} from '#contract/availability.ts'
import { dateFormat } from '#contract/base/intl.ts'
import type { Region } from '#contract/base/region.ts'
import { regionFacts } from '#contract/base/region.ts'
import { DAY_MS, dateOfDay, dayNumber, toIso } from '#contract/base/time.ts'
import type { Instant } from '#db/columns.ts'
import { dayAt, startOfDay, zoneOf } from '#server/availability/rules.ts'
import { isOpen, planSlots } from '#server/availability/slots/plan-slots.ts'
import { listClaims } from '#server/availability/slots/slots-store.ts'
import type { AsProvider, Context } from '#server/context.ts'
import { holidayOn } from './holiday-rules.ts'
import {
  blockedBy,
  busyWithin,
  closedOn,
  daysInView,
  hoursOn,
  isWithinHours,
  MIN_NOTICE_MINUTES,
  offeredFrom,
  placeOf,
  type Rules,
} from './hours-rules.ts'
import { applyDraft, formatDays, formatMinutes, formatTime } from './input-rules.ts'
import {
  assertDateInRange,
  getOwner,
  getOwnSchedule,
  type OwnSchedule,
  placeIdOf,
  placeNoOf,
} from './read-availability.ts'
import { listConflicts } from './save-hours.ts'
import {
  busyAt,
  type DayPlan,
  planDay,
  statusAt,
  stretchesOf,
  type TimeStatus,
} from './stretches-rules.ts'

const MINUTE = 60_000

type Claims = Awaited<ReturnType<typeof claimsOn>>

/** A short label for a part of a day. */
function labelFor(
  { bufferMinutes, horizonDays, minutes, noticeMinutes }: Rules,
  moment: TimeStatus,
) {
  const labels: Record<TimeReason, string> = {
    free: 'Free',
    booked: 'Booked visit',
    held: 'Being booked',
    past: 'Over',
    notice: `Minimum notice (${formatMinutes(Math.max(noticeMinutes, MIN_NOTICE_MINUTES))})`,
    buffer: `Time between visits (${formatMinutes(bufferMinutes)})`,
    between_visits: `Too short for a visit of ${formatMinutes(minutes)}`,
    outside_hours: 'Outside your hours',
    absence: moment.note === '' ? 'Away' : `Away: ${moment.note}`,
    blocked: moment.note === '' ? 'Blocked' : `Blocked: ${moment.note}`,
    outside_calendar: 'Busy in another calendar',
    holiday: `Public holiday: ${moment.note}`,
    horizon: `More than ${formatDays(horizonDays)} ahead`,
    clock_change: 'Clocks change',
    not_listed: 'Not public yet',
  }
  return labels[moment.reason]
}

/** A sentence that says why no visit begins at a time. */
function explanationFor(
  { bufferMinutes, horizonDays, minutes, noticeMinutes }: Rules,
  moment: TimeStatus,
) {
  const texts: Record<TimeReason, string> = {
    free: `Your visits of ${formatMinutes(minutes)} start at other times, not at this one.`,
    booked: 'You have a booked visit then.',
    held: 'Someone is booking this time right now.',
    past: 'This time has passed.',
    notice:
      noticeMinutes < MIN_NOTICE_MINUTES
        ? 'It begins too soon for a patient to book and pay.'
        : `It’s within your notice period of ${formatMinutes(noticeMinutes)}.`,
    buffer: `You keep ${formatMinutes(bufferMinutes)} free between visits.`,
    between_visits: `No visit of ${formatMinutes(minutes)} fits here.`,
    outside_hours: 'It is outside your hours.',
    absence: moment.note === '' ? 'You are away on this day.' : `You are away: ${moment.note}.`,
    blocked:
      moment.note === ''
        ? 'You have blocked this time.'
        : `You have blocked this time: ${moment.note}.`,
    outside_calendar: 'You’re busy at this time in a calendar you added.',
    holiday: `You’re closed on public holidays, and this is one: ${moment.note}.`,
    horizon: `It is more than ${formatDays(horizonDays)} ahead, which is as far as you offer times.`,
    clock_change: 'This time doesn’t exist on that day because the clocks go forward.',
    not_listed: 'Your profile isn’t public yet, so nobody can book.',
  }
  return texts[moment.reason]
}

/** Everything that prevents a visit from beginning at an instant. */
function obstaclesTo(plan: DayPlan, at: Instant): TimeStatus[] {
  const { rules, now, isInView } = plan
  const moment = statusAt(plan, at)
  const end = at + rules.minutes * MINUTE
  const others: TimeReason[] = []
  const claim = plan.taken.find((one) => one.start < end && one.end > at)
  if (claim !== undefined) others.push(claim.isHeld ? 'held' : 'booked')
  if (at < now) others.push('past')
  else if (at < offeredFrom(rules, now)) others.push('notice')
  const open = plan.hours.find(({ from, until }) => from <= at && at < until)
  if (!(open?.isInView ?? isInView)) others.push('horizon')
  if (open === undefined) others.push('outside_hours')
  else if (open.closed !== null) others.push(open.closed)
  const found: TimeStatus[] = others.map((reason) => ({
    ...moment,
    note: open?.note ?? '',
    reason,
  }))
  const blocked = blockedBy(plan.blocked, { start: at, end })
  if (blocked !== undefined) found.push({ ...moment, note: blocked.note, reason: 'blocked' })
  const busy = busyAt(plan, { start: at, end })
  if (busy !== undefined) found.push({ ...moment, note: busy.note, reason: busy.reason })
  return [moment, ...found.filter(({ reason }) => reason !== moment.reason)]
}

/** A day's plan reduced to one place; visits elsewhere still occupy their time. */
function atPlace(plan: DayPlan, placeNo: number | undefined): DayPlan {
  if (placeNo === undefined) return plan
  return {
    ...plan,
    hours: plan.hours.filter((one) => one.placeNo === placeNo),
    slots: plan.slots.filter((one) => one.placeNo === placeNo),
  }
}

type AnswerQuery = { plan: DayPlan; mine: OwnSchedule; instants: readonly Instant[] }

function answerFor({ plan, mine, instants }: AnswerQuery): NonNullable<Explanation['answer']> {
  const isListed = mine.owner.verification_status === 'Verified'
  const free = plan.slots
    .filter(({ start, reason }) => reason === 'free' && start >= plan.from)
    .map(({ start }) => start)
  const hidden: TimeStatus = { reason: 'not_listed', placeNo: null, note: '' }
  const [first] = instants
  const isFree = instants.some((instant) => free.includes(instant))
  const found: TimeStatus[] = []
  if (first === undefined) found.push({ ...hidden, reason: 'clock_change' })
  else if (!isFree) found.push(...obstaclesTo(plan, first))
  if (!isListed) found.push(hidden)
  const near = first ?? plan.from
  return {
    offered: found.length === 0,
    reasons: found.map((one) => ({ reason: one.reason, text: explanationFor(plan.rules, one) })),
    nearest: free
      .toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near) || a - b)
      .slice(0, 3)
      .map(toIso),
  }
}

/** Local time of day in whole minutes; the end of the day is 24:00. */
function clockOf(day: number, timeZone: string, instant: Instant): number {
  return Math.floor((zoneOf(timeZone).wallAt(instant) - day * DAY_MS) / MINUTE)
}

type PlanDay = { day: number; now: Instant; timeZone: string }
type PlanContext = { ctx: Context; mine: OwnSchedule; claims: Claims }

/** The plan of one of the viewer's days, with holds, visits and busy times. */
function planOf(rules: Rules, at: PlanDay, { ctx, mine, claims }: PlanContext) {
  const taken = claims.map(({ start_at: start, end_at: end, state }) => {
    return { start, end, isHeld: state === 'held' }
  })
  const busy = busyWithin(rules.busy, {
    secrets: ctx.secrets,
    providerNo: mine.owner.no,
    from: startOfDay(at.timeZone, at.day),
    until: startOfDay(at.timeZone, at.day + 1) + rules.minutes * MINUTE,
  })
  return planDay(rules, at, { taken, busy })
}

/** "GMT", "CST": tells the two times apart that clocks show as the same when they go back. */
function zoneName(instant: Instant, at: { region: Region; timeZone: string }): string {
  const { timeZone } = at
  const format = dateFormat(regionFacts[at.region].locale, {
    timeZone,
    timeZoneName: 'short',
  })
  return (
    format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  )
}

/** The parts of a planned day, with their labels. */
function labelStretches(
  mine: OwnSchedule,
  plan: DayPlan,
  { day, timeZone }: { day: number; timeZone: string },
) {
  const { region } = mine.owner
  const clock = (instant: Instant) => {
    const time = formatTime(region, clockOf(day, timeZone, instant))
    const zone = zoneOf(timeZone)
    const isRepeated = zone.instants(zone.wallAt(instant)).length > 1
    return isRepeated ? `${time} ${zoneName(instant, { region, timeZone })}` : time
  }
  return stretchesOf(plan).map(({ from, until, ...moment }) => {
    const ends = { from: clock(from), to: clock(until) }
    const label = labelFor(plan.rules, moment)
    return {
      startsAt: toIso(from),
      endsAt: toIso(until),
      reason: moment.reason,
      placeId: moment.placeNo === null ? null : placeIdOf(mine, moment.placeNo),
      ...ends,
      label,
      text: `${ends.from} to ${ends.to}: ${label}`,
    }
  })
}

/** Labels each part of a day, and explains why a time is not offered at the place asked about. */
export async function explainTime(ctx: AsProvider, input: ExplainInput): Promise<Explanation> {
  const { db } = ctx.database
  const mine = await getOwnSchedule(db, await getOwner(ctx, db), ctx.now())
  const rules = input.draft === undefined ? mine.rules : applyDraft(mine, input.draft)
  const placeNo = input.placeId === undefined ? undefined : placeNoOf(mine, input.placeId)
  const place = rules.places.find(({ no }) => no === placeNo) ?? rules.places[0]
  const timeZone = place?.timeZone ?? 'UTC'
  const day = dayNumber(input.date)
  assertDateInRange(mine, day)
  const claims = await claimsOn(ctx, mine, { from: day, until: day + 1 })
  const plan = planOf(rules, { day, now: mine.now, timeZone }, { ctx, mine, claims })
  const [hour = 0, minute = 0] = (input.time ?? '').split(':').map(Number)
  const instants = zoneOf(timeZone).instants(day * DAY_MS + (hour * 60 + minute) * MINUTE)
  return {
    timeZone,
    stretches: labelStretches(mine, plan, { day, timeZone }),
    answer:
      input.time === undefined ? null : answerFor({ plan: atPlace(plan, placeNo), mine, instants }),
  }
}

/** Free, held, blocked and closed time on some days of a calendar, in the zone of the main place. */
export async function readWeek(ctx: AsProvider, input: WeekInput): Promise<WeekPlan> {
  const { db } = ctx.database
  const mine = await getOwnSchedule(db, await getOwner(ctx, db), ctx.now())
  const timeZone = mine.rules.places[0]?.timeZone ?? 'UTC'
  const from = dayNumber(input.from)
  assertDateInRange(mine, from)
  const claims = await claimsOn(ctx, mine, { from, until: from + input.days })
  return {
    timeZone,
    today: dateOfDay(mine.today),
    days: Array.from({ length: input.days }, (_, n) => {
      const at = { day: from + n, now: mine.now, timeZone }
      const plan = planOf(mine.rules, at, { ctx, mine, claims })
      return { date: dateOfDay(at.day), stretches: labelStretches(mine, plan, at) }
    }),
  }
}

type Claim = Awaited<ReturnType<typeof listClaims>>[number]
type Days = { from: number; until: number }

/** A day's slots and visits. */
type Tally = Pick<PreviewDay, 'free' | 'held' | 'booked' | 'outside'>

/** No zone's calendar day is further from the UTC day. */
const MAX_ZONE_OFFSET_MS = 15 * 3_600_000

/** Holds, visits and desk visits on some days. */
function claimsOn(ctx: Context, { owner }: OwnSchedule, days: Days): Promise<Claim[]> {
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
export async function previewWeeks(ctx: AsProvider, input: PreviewInput): Promise<Preview> {
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
