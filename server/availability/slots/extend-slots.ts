import { DAY_MS, dateOfDay, dayNumber } from '#contract/time.ts'
import { type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isDatabaseOut } from '#db/failures.ts'
import { daysInView } from '#server/availability/hours/hours-rules.ts'
import { findRules, type Kept, readRules } from '#server/availability/hours/read-rules.ts'
import { lockProviders, updateSchedule } from '#server/availability/hours/schedule-store.ts'
import type { Services } from '#server/context.ts'
import { fillStretches, generatedTo, LONGEST_MS, nextExtension, withdrawalOf } from './fill-slots.ts'
import { deleteSlotsBefore, listToExtend } from './fill-store.ts'

/** Tells the search, in the same transaction, that the first free times of providers have changed. */
export type Refresh = (db: Db, now: Instant, providerNos: readonly number[]) => Promise<unknown>

/**
 * Providers, and new days of theirs, in one transaction: few enough that it is over in some
 * milliseconds, since requests may wait for it. After a long rest one provider needs as many days.
 */
const BATCH = 12
const MOST_DAYS = 24

const RETRY_MS = 60 * 60_000

/** Slots are kept this long after they are over. */
const KEEP_MS = 7 * DAY_MS

/** The new days, and those beside them where places lie in several zones. */
function newDays(kept: Kept, now: Instant) {
  const from = Math.max(now, (generatedTo(kept) - 1) * DAY_MS)
  return { kept, from, until: NEVER }
}

async function listDue(db: Db, now: Instant): Promise<number[]> {
  let left = MOST_DAYS
  const due: number[] = []
  for (const row of await listToExtend(db, now, BATCH)) {
    left -= Math.floor(now / DAY_MS) + row.horizon_days + 1 - dayNumber(row.generated_to)
    if (left < 0 && due.length > 0) break
    due.push(row.provider_no)
  }
  return due
}

/** Moves these on, in the caller's transaction. */
async function extendSome(db: Db, now: Instant, due: readonly number[]): Promise<number[]> {
  await lockProviders(db, due)
  const all = await readRules(db, due, now)
  const firstFree = await fillStretches(
    db,
    all.map((kept) => newDays(kept, now)),
    now,
  )
  await deleteSlotsBefore(db, due, now - KEEP_MS)
  const changed: number[] = []
  for (const kept of all) {
    const withdrawAt = withdrawalOf(kept, firstFree.get(kept.providerNo) ?? null)
    // Only whoever had nothing free, or too little in a row, has a new first free time.
    if (withdrawAt < kept.schedule.withdraw_at || kept.isFirstLong) changed.push(kept.providerNo)
    await updateSchedule(db, kept.providerNo, {
      generated_to: dateOfDay(daysInView(kept.rules, now).until),
      extend_at: nextExtension(kept, now),
      withdraw_at: Math.min(withdrawAt, kept.schedule.withdraw_at),
    })
  }
  return changed
}

type Working = Pick<Services, 'database' | 'now' | 'log' | 'background'>
type Batch = { now: Instant; refresh: Refresh }

/** Moves some of those on that are due, or only the one named; how many they were. */
async function extendBatch(services: Working, batch: Batch, only?: number): Promise<number> {
  const { now, refresh } = batch
  return services.database.transaction(async (db) => {
    const due = only === undefined ? await listDue(db, now) : [only]
    if (due.length === 0) return 0
    const changed = await extendSome(db, now, due)
    if (changed.length > 0) await refresh(db, now, changed)
    return due.length
  })
}

/** One whose calendar cannot be made is looked at again in an hour, and keeps nobody from theirs. */
async function extendOne(services: Working, batch: Batch, providerNo: number): Promise<void> {
  try {
    await extendBatch(services, batch, providerNo)
  } catch (error) {
    const retry = { extend_at: batch.now + RETRY_MS }
    // Without a database this fails, and ends the run.
    await services.database.transaction((db) => updateSchedule(db, providerNo, retry))
    services.log.error({ err: error, providerNo }, 'a calendar could not be moved on')
  }
}

async function extendOneByOne(services: Working, batch: Batch): Promise<number> {
  const due = await listDue(services.database.db, batch.now)
  for (const providerNo of due) await extendOne(services, batch, providerNo)
  return due.length
}

/**
 * Moves the calendars of all providers on: the days that have come into view get their slots, and
 * slots that are over for a week are forgotten. In short transactions in the background; harmless when
 * several processes do it at once.
 */
export async function extendSlots(
  services: Working,
  refresh: Refresh,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const batch = { now: services.now(), refresh }
    let done: number
    try {
      done = await services.background.run(() => extendBatch(services, batch), signal)
    } catch (error) {
      if (isDatabaseOut(error)) throw error
      done = await extendOneByOne(services, batch)
    }
    if (done === 0 || signal?.aborted === true) return
  }
}

type Span = { providerNo: number; start: Instant; end: Instant }

/**
 * Offers a stretch of time again that nobody holds any more, as far as the rules of this moment have
 * it: not inside the notice, nor outside hours that were changed meanwhile. False for a provider
 * without rules; then nothing is touched.
 */
export async function refillSlots(db: Db, span: Span, now: Instant): Promise<boolean> {
  const { providerNo, start, end } = span
  await lockProviders(db, [providerNo])
  const kept = await findRules(db, providerNo, now)
  if (kept === undefined) return false
  const stretch = { kept, from: Math.max(now, start - LONGEST_MS), until: end + LONGEST_MS }
  const firstFree = (await fillStretches(db, [stretch], now)).get(providerNo) ?? null
  const withdrawAt = withdrawalOf(kept, firstFree)
  if (withdrawAt < kept.schedule.withdraw_at) {
    await updateSchedule(db, providerNo, { withdraw_at: withdrawAt })
  }
  return true
}

/**
 * Makes the coming slots of a provider anew after something they follow from has changed: hours, the
 * length of visits, a place. Held and booked times stay. Within the caller's transaction, who tells
 * the search. False for providers who have set no hours: they keep what they have.
 */
export async function regenerateSlots(db: Db, providerNo: number, now: Instant): Promise<boolean> {
  await lockProviders(db, [providerNo])
  const kept = await findRules(db, providerNo, now)
  if (kept === undefined) return false
  const firstFree = await fillStretches(db, [{ kept, from: now, until: NEVER }], now)
  await updateSchedule(db, providerNo, {
    generated_to: dateOfDay(daysInView(kept.rules, now).until),
    extend_at: nextExtension(kept, now),
    withdraw_at: withdrawalOf(kept, firstFree.get(providerNo) ?? null),
  })
  return true
}
