import { DAY_MS, dateOfDay, dayNumber } from '#contract/base/time.ts'
import { type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isDatabaseDown } from '#db/failures.ts'
import {
  type Day,
  daysInView,
  offeredFrom,
  offerLeadMs,
} from '#server/availability/hours/hours-rules.ts'
import {
  findRules,
  readRules,
  type StoredRules,
} from '#server/availability/hours/read-availability.ts'
import {
  listSchedules,
  lockProviders,
  updateSchedule,
} from '#server/availability/hours/schedule-store.ts'
import { startOfDay } from '#server/availability/rules.ts'
import type { Services } from '#server/context.ts'
import { diffSlots, type PlannedSlot, planSlots } from './plan-slots.ts'
import {
  deleteFreeSlotsBefore,
  deleteSlots,
  deleteSlotsBefore,
  listClaims,
  listSlots,
  listToExtend,
  listToWithdraw,
  type NewSlot,
  updateWithdrawals,
  upsertSlots,
} from './slots-store.ts'

/** Minutes after midnight over which nightly work is spread. */
const SPREAD_MINUTES = 180

/** No zone's calendar day is further from the UTC day. */
const MAX_ZONE_OFFSET_MS = 15 * 3_600_000

/** Longest visit including its buffer, in milliseconds: how far a claim can reach into adjacent time. */
const MAX_CLAIM_MS = 15 * 3_600_000

/** Slots of a provider to regenerate, by their starts; `until` is exclusive. */
type FillRange = { stored: StoredRules; from: Instant; until: Instant }

/** When the next day of a provider's slots is generated. */
function nextExtension({ providerNo, rules }: StoredRules, now: Instant): Instant {
  const { from: today } = daysInView(rules, now)
  const zone = rules.places[0]?.timeZone ?? 'UTC'
  return startOfDay(zone, today + 1) + (providerNo % SPREAD_MINUTES) * 60_000
}

function plannedWithin({ stored, from, until }: FillRange, now: Instant): PlannedSlot[] {
  const view = daysInView(stored.rules, now)
  const days = {
    from: Math.floor((from - MAX_ZONE_OFFSET_MS) / DAY_MS),
    until: Math.min(view.until, Math.ceil((until + MAX_ZONE_OFFSET_MS) / DAY_MS) + 1),
  }
  const first = Math.max(from, offeredFrom(stored.rules, now))
  return planSlots(stored.rules, days).filter(({ start }) => first <= start && start < until)
}

/**
 * Brings slots in line with the rules: adds missing ones, deletes obsolete ones, and leaves held and booked
 * ones alone. Returns the first free slot by provider. The providers must be locked.
 */
async function syncSlots(
  db: Db,
  ranges: readonly FillRange[],
  now: Instant,
): Promise<Map<number, Instant | null>> {
  if (ranges.length === 0) return new Map()
  const reach = {
    providerNos: ranges.map(({ stored }) => stored.providerNo),
    from: Math.min(...ranges.map(({ from }) => from)),
    until: Math.max(...ranges.map(({ until }) => until)),
  }
  const known = Map.groupBy(await listSlots(db, reach), (row) => row.provider_no)
  const around = { ...reach, from: reach.from - MAX_CLAIM_MS, until: reach.until + MAX_CLAIM_MS }
  const claims = Map.groupBy(await listClaims(db, around), (row) => row.provider_no)
  const added: NewSlot[] = []
  const firstFree = new Map<number, Instant | null>()
  for (const range of ranges) {
    const { providerNo, rules } = range.stored
    const inside = ({ start_at: start }: { start_at: Instant }) =>
      range.from <= start && start < range.until
    const diff = diffSlots(
      { ...rules, planned: plannedWithin(range, now) },
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

/** When a free slot is withdrawn, including the job's margin; never where there is none. */
function withdrawalAt(stored: StoredRules, firstFree: Instant | null): Instant {
  if (firstFree === null) return NEVER
  return firstFree - offerLeadMs(stored.rules)
}

/** The day up to which a schedule has slots. */
function generatedTo({ schedule }: StoredRules): Day {
  return dayNumber(schedule.generated_to)
}

/** Updates the search, in the same transaction, after the first free times of providers have changed. */
type Refresh = (db: Db, now: Instant, providerNos: readonly number[]) => Promise<unknown>

/**
 * Providers in one transaction, and new days of theirs: few, because requests may wait for it. After a long pause one
 * provider may need all the days.
 */
const BATCH = 12
const MAX_NEW_DAYS = 24

const RETRY_MS = 60 * 60_000

/** How long slots are kept after they end. */
const RETENTION_MS = 7 * DAY_MS

/** The new days, and the day before them for places in other zones. */
function newDays(stored: StoredRules, now: Instant) {
  const from = Math.max(now, (generatedTo(stored) - 1) * DAY_MS)
  return { stored, from, until: NEVER }
}

async function listDue(db: Db, now: Instant): Promise<number[]> {
  let left = MAX_NEW_DAYS
  const due: number[] = []
  for (const row of await listToExtend(db, now, BATCH)) {
    left -= Math.floor(now / DAY_MS) + row.horizon_days + 1 - dayNumber(row.generated_to)
    if (left < 0 && due.length > 0) break
    due.push(row.provider_no)
  }
  return due
}

/** Extends the calendars of these providers, in the caller's transaction. */
async function extendProviders(db: Db, now: Instant, due: readonly number[]): Promise<number[]> {
  await lockProviders(db, due)
  const all = await readRules(db, due, now)
  const firstFree = await syncSlots(
    db,
    all.map((stored) => newDays(stored, now)),
    now,
  )
  await deleteSlotsBefore(db, due, now - RETENTION_MS)
  const changed: number[] = []
  for (const kept of all) {
    const withdrawAt = withdrawalAt(kept, firstFree.get(kept.providerNo) ?? null)
    // The first free time changes only where nothing was free, or not enough in a row.
    if (withdrawAt < kept.schedule.withdraw_at || kept.isFirstLong) changed.push(kept.providerNo)
    await updateSchedule(db, kept.providerNo, {
      generated_to: dateOfDay(daysInView(kept.rules, now).until),
      extend_at: nextExtension(kept, now),
      withdraw_at: Math.min(withdrawAt, kept.schedule.withdraw_at),
    })
  }
  return changed
}

type ExtendServices = Pick<Services, 'database' | 'now' | 'log' | 'background'>
type Batch = { now: Instant; refresh: Refresh }

/** Extends some calendars that are due, or only the one given; returns how many. */
async function extendBatch(services: ExtendServices, batch: Batch, only?: number): Promise<number> {
  const { now, refresh } = batch
  return services.database.transaction(async (db) => {
    const due = only === undefined ? await listDue(db, now) : [only]
    if (due.length === 0) return 0
    const changed = await extendProviders(db, now, due)
    if (changed.length > 0) await refresh(db, now, changed)
    return due.length
  })
}

/** A calendar that fails is retried in an hour, and does not hold up the others. */
async function extendOne(
  services: ExtendServices,
  batch: Batch,
  providerNo: number,
): Promise<void> {
  try {
    await extendBatch(services, batch, providerNo)
  } catch (error) {
    const retry = { extend_at: batch.now + RETRY_MS }
    // Fails, and ends the run, when the database is down.
    await services.database.transaction((db) => updateSchedule(db, providerNo, retry))
    services.log.error({ err: error, providerNo }, 'a calendar could not be extended')
  }
}

async function extendOneByOne(services: ExtendServices, batch: Batch): Promise<number> {
  const due = await listDue(services.database.db, batch.now)
  for (const providerNo of due) await extendOne(services, batch, providerNo)
  return due.length
}

/**
 * Extends the calendars of all providers: days that have come into view get their slots, and slots that ended
 * a week ago are deleted. In short background transactions; safe to run in several processes at once.
 */
export async function extendSlots(
  services: ExtendServices,
  refresh: Refresh,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const batch = { now: services.now(), refresh }
    let done: number
    try {
      done = await services.background.run(() => extendBatch(services, batch), signal)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      done = await extendOneByOne(services, batch)
    }
    if (done === 0 || signal?.aborted === true) return
  }
}

type Span = { providerNo: number; start: Instant; end: Instant }

/**
 * Offers a released range of time again, as far as the current rules allow: not within the notice period or
 * outside changed hours. False for a provider without rules; then nothing changes.
 */
export async function refillSlots(db: Db, span: Span, now: Instant): Promise<boolean> {
  const { providerNo, start, end } = span
  await lockProviders(db, [providerNo])
  const stored = await findRules(db, providerNo, now)
  if (stored === undefined) return false
  const range = {
    stored,
    from: Math.max(now, start - MAX_CLAIM_MS),
    until: end + MAX_CLAIM_MS,
  }
  const firstFree = (await syncSlots(db, [range], now)).get(providerNo) ?? null
  const withdrawAt = withdrawalAt(stored, firstFree)
  if (withdrawAt < stored.schedule.withdraw_at) {
    await updateSchedule(db, providerNo, { withdraw_at: withdrawAt })
  }
  return true
}

/**
 * Regenerates the upcoming slots of a provider after a change of hours, visit length or place. Held and
 * booked times stay. Runs in the caller's transaction; the caller updates the search. False for providers
 * without rules, who keep their slots.
 */
export async function regenerateSlots(db: Db, providerNo: number, now: Instant): Promise<boolean> {
  await lockProviders(db, [providerNo])
  const stored = await findRules(db, providerNo, now)
  if (stored === undefined) return false
  const firstFree = await syncSlots(db, [{ stored, from: now, until: NEVER }], now)
  await updateSchedule(db, providerNo, {
    generated_to: dateOfDay(daysInView(stored.rules, now).until),
    extend_at: nextExtension(stored, now),
    withdraw_at: withdrawalAt(stored, firstFree.get(providerNo) ?? null),
  })
  return true
}

/** Many providers have slots on the full hour: short transactions, so that requests can run in between. */
const WITHDRAW_BATCH = 25

async function withdrawBatch(db: Db, now: Instant): Promise<number[]> {
  const all = await listToWithdraw(db, now, WITHDRAW_BATCH)
  if (all.length === 0) return []
  await lockProviders(db, all)
  const due = await listSchedules(db, all)
  for (const [noticeMinutes, rows] of Map.groupBy(due, (row) => row.notice_minutes)) {
    const providerNos = rows.map((row) => row.provider_no)
    await deleteFreeSlotsBefore(db, providerNos, offeredFrom({ noticeMinutes }, now))
    await updateWithdrawals(db, providerNos, offerLeadMs({ noticeMinutes }))
  }
  return all
}

/**
 * Withdraws free slots that fall within the provider's minimum notice, by deleting them, so that no search
 * result or profile shows them. Safe to run in several processes at once.
 */
export async function withdrawSlots(
  services: Pick<Services, 'database' | 'now' | 'background'>,
  refresh: Refresh,
  signal?: AbortSignal,
): Promise<void> {
  const batch = () =>
    services.database.transaction(async (db) => {
      const now = services.now()
      const providerNos = await withdrawBatch(db, now)
      if (providerNos.length > 0) await refresh(db, now, providerNos)
      return providerNos.length
    })
  await services.background.drain(WITHDRAW_BATCH, batch, signal)
}
