import * as z from 'zod/mini'
import { toIso } from '#contract/base/time.ts'
import {
  OUTSIDE_PAUSE_HOURS,
  OUTSIDE_POLL_MINUTES,
  OutsideDoubt,
  OutsideFailure,
} from '#contract/outside-calendars.ts'
import type { Instant } from '#db/columns.ts'
import type { OutsideCalendarRow } from '#db/tables/calendars.ts'
import {
  type BusyView,
  busyView,
  lockBusy,
  replaceCalendarBusy,
} from '#server/availability/hours/busy-times.ts'
import { type Context, type Services, systemContext, type Tx } from '#server/context.ts'
import type { Doubt } from '#server/gateways/ics/entry-reader.ts'
import type { OutsideReading } from '#server/gateways/outside-calendars.ts'
import { Semaphore } from '#server/kernel/limits/semaphore.ts'
import { OutsideError } from '#server/kernel/outside-address.ts'
import {
  claimForReading,
  type DueCalendar,
  findCalendar,
  listDue,
  listOwnVisits,
  updateCalendar,
} from './store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When to read a calendar next, with jitter. `chance` is from 0 to 1, exclusive. */
export function nextReadAt(now: Instant, chance: number): Instant {
  return now + Math.round((OUTSIDE_POLL_MINUTES - 0.5 + chance) * MINUTE_MS)
}

/** The longest that a failing calendar waits. */
const RETRY_MAX_MS = 4 * HOUR_MS

/**
 * When to read a failing calendar again: after as long as it has failed so far, which doubles that time, within
 * limits and with jitter. `chance` as in `nextReadAt`.
 */
export function nextRetryAt(now: Instant, failingSince: Instant, chance: number): Instant {
  const failedMs = Math.max(now - failingSince, OUTSIDE_POLL_MINUTES * MINUTE_MS)
  return now + Math.round(Math.min(failedMs, RETRY_MAX_MS) * (0.9 + chance / 5))
}

/** Parses a stored failure. */
export function parseFailure(stored: string | null): OutsideFailure | null {
  return stored === null ? null : OutsideFailure.parse(stored)
}

/** Parses stored doubts. */
export function parseDoubts(stored: string | null): OutsideDoubt[] {
  return stored === null ? [] : z.array(OutsideDoubt).parse(JSON.parse(stored))
}

/** The result of a reading: busy times, not modified, or a failure. */
export type ReadResult = {
  reading: OutsideReading | OutsideFailure
  view: BusyView
  skipsAllDay: boolean
  /** That of the address that was read. */
  fingerprint: string
}

const NO_VALIDATORS = { etag: null, lastModified: null }

type FetchRequest = Pick<
  OutsideCalendarRow,
  'etag' | 'last_modified' | 'covered_to' | 'provider_no' | 'fingerprint'
> & { address: string; skipsAllDay: boolean }

/** Reads a calendar outside any transaction: its server may take ten seconds. */
export async function fetchCalendar(
  services: Services,
  request: FetchRequest,
): Promise<ReadResult> {
  const { database, now, outsideCalendars } = services
  const { address, skipsAllDay, fingerprint } = request
  const view = await busyView(database.db, request.provider_no, now())
  // A "not modified" response says nothing about days that were not requested before.
  const isCovered = request.covered_to >= view.coveredTo
  const known = isCovered
    ? { etag: request.etag, lastModified: request.last_modified }
    : NO_VALIDATORS
  try {
    const reading = await outsideCalendars.read(address, known, { ...view, skipsAllDay })
    return { reading, view, skipsAllDay, fingerprint }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    return { reading: error.failure, view, skipsAllDay, fingerprint }
  }
}

/** A calendar that has failed for a day is paused, and its owner is emailed. */
async function recordFailure(
  tx: Tx,
  row: OutsideCalendarRow,
  { failure, now, chance }: { failure: OutsideFailure; now: Instant; chance: number },
): Promise<void> {
  const since = row.failing_since ?? now
  const isPaused = now - since >= OUTSIDE_PAUSE_HOURS * HOUR_MS
  await updateCalendar(tx.db, row.id, {
    failure,
    failing_since: since,
    next_read_at: nextRetryAt(now, since, chance),
    ...(isPaused && { told_at: now }),
  })
  if (isPaused && row.told_at === null) {
    await tx.outbox.add('outside.failing', { calendarId: row.id })
  }
}

function showDoubt({ start, end, reason }: Doubt): OutsideDoubt {
  const iso = (at: Instant | null) => (at === null ? null : toIso(at))
  return { startsAt: iso(start), endsAt: iso(end), reason }
}

/** Returns whether slots may have changed. */
async function recordReading(
  tx: Tx,
  row: OutsideCalendarRow,
  { reading, view, now }: { reading: OutsideReading; view: BusyView; now: Instant },
): Promise<boolean> {
  const well = { read_at: now, failing_since: null, failure: null, told_at: null }
  if (reading.kind === 'unchanged') {
    await updateCalendar(tx.db, row.id, well)
    return false
  }
  const { spans, own, unreadable, doubts, etag, lastModified } = reading
  // Entries from our own feeds count only when the provider is another provider's patient.
  const ids = [...new Set(own.map(({ id }) => id))]
  const mine = await listOwnVisits(tx.db, row.provider_no, ids)
  const all = [...spans, ...own.filter(({ id }) => !mine.has(id))]
  await updateCalendar(tx.db, row.id, {
    ...well,
    etag,
    last_modified: lastModified,
    covered_to: view.coveredTo,
    unreadable,
    doubts: doubts.length === 0 ? null : JSON.stringify(doubts.map(showDoubt)),
  })
  return replaceCalendarBusy(
    tx.db,
    { providerNo: row.provider_no, calendarId: row.id },
    {
      spans: all.map(({ start, end }) => ({ start, end })).toSorted((a, b) => a.start - b.start),
      now,
    },
  )
}

/** When a result is stored; `chance` is from 0 to 1, exclusive. */
type Moment = { now: Instant; chance: number }

/**
 * Stores the result of a reading. A failure keeps the stored times; a calendar that was removed or changed
 * meanwhile is left alone. Returns whether slots may have changed.
 */
export async function recordResult(tx: Tx, id: string, result: ReadResult & Moment) {
  const { reading, skipsAllDay, fingerprint, view, now, chance } = result
  const before = await findCalendar(tx.db, id)
  if (before === undefined) return false
  // Lock order: the provider first; the calendar read below then cannot change.
  await lockBusy(tx.db, before.provider_no)
  const row = await findCalendar(tx.db, id)
  if (row === undefined || (row.skips_all_day === 1) !== skipsAllDay) return false
  if (row.fingerprint !== fingerprint) return false
  if (typeof reading !== 'string') return recordReading(tx, row, { reading, view, now })
  await recordFailure(tx, row, { failure: reading, now, chance })
  return false
}

/** Reads one calendar and stores the result. */
export async function readCalendar(
  ctx: Context,
  row: OutsideCalendarRow,
  providerId: string,
): Promise<void> {
  const outcome = await fetchCalendar(ctx, {
    ...row,
    address: openAddress(ctx, row),
    skipsAllDay: row.skips_all_day === 1,
  })
  await ctx.transaction(async (tx) => {
    const hasChanged = await recordResult(tx, row.id, {
      ...outcome,
      now: ctx.now(),
      chance: ctx.chance(),
    })
    if (hasChanged) await tx.outbox.add('provider.changed', { providerId })
  })
}

/** Readings of one provider wait for one another, and those of several providers take turns. */
const oneByOne = { runningOfOne: 1, waiting: Number.POSITIVE_INFINITY }

/** Calendars read concurrently; most of the time is spent waiting for other servers. */
const steadyReadings = new Semaphore({ running: 4, ...oneByOne })
/** Failing ones have places of their own, so that slow servers keep none of the others waiting. */
const failingReadings = new Semaphore({ running: 2, ...oneByOne })

/** Most calendars whose turns are planned at once. */
const PLANNED = 200

async function readDue(ctx: Context, row: DueCalendar): Promise<void> {
  const { database, log, now } = ctx
  if (!(await claimForReading(database.db, row, nextReadAt(now(), ctx.chance())))) return
  const { provider_id: providerId, ...calendar } = row
  try {
    await readCalendar(ctx, calendar, providerId)
  } catch (error) {
    // A calendar that fails, such as one whose key is gone, does not hold up the others.
    log.error({ err: error, outsideCalendarId: row.id }, 'an outside calendar was not read')
  }
}

async function readAllDue(ctx: Context, isFailing: boolean, signal?: AbortSignal): Promise<void> {
  const { database, now } = ctx
  const readings = isFailing ? failingReadings : steadyReadings
  const seen = new Set<string>()
  for (;;) {
    const asked = { now: now(), isFailing, limit: PLANNED + seen.size }
    const due = (await listDue(database.db, asked)).filter(({ id }) => !seen.has(id))
    if (due.length === 0 || signal?.aborted === true) return
    for (const { id } of due) seen.add(id)
    const read = (row: DueCalendar) => async () => {
      if (signal?.aborted !== true) await readDue(ctx, row)
    }
    await Promise.all(due.map((row) => readings.pass(read(row), row.provider_id)))
  }
}

/** Reads every outside calendar that is due. Safe to run in several processes at once. */
export async function readOutsideCalendars(
  services: Services,
  signal?: AbortSignal,
): Promise<void> {
  const ctx = systemContext(services, 'read-outside-calendars')
  await Promise.all([readAllDue(ctx, false, signal), readAllDue(ctx, true, signal)])
}

type Encrypting = Pick<Services, 'secrets'>

/** Encrypts the address of a calendar for its row: it cannot be decrypted in another one. */
export function sealAddress({ secrets }: Encrypting, id: string, address: string): string {
  return secrets.seal('outside', `${id} ${address}`)
}

/** Decrypts the address of a calendar; throws when it was encrypted for another row. */
function openAddress(
  { secrets }: Encrypting,
  { id, sealed }: { id: string; sealed: string },
): string {
  const text = secrets.open('outside', sealed)
  if (!text.startsWith(`${id} `)) throw new Error('This address was sealed for another calendar.')
  return text.slice(id.length + 1)
}

/**
 * Keyed hash that identifies an address among a provider's own; the same address of another provider has
 * another hash.
 */
export function fingerprintOf(
  { secrets }: Encrypting,
  providerId: string,
  address: string,
): string {
  return secrets.mac('outside', `${providerId} ${address}`)
}
