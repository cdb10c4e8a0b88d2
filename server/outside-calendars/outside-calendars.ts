import type { Done } from '#contract/base/done.ts'
import { fullName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import { deskKindLabels } from '#contract/booking-desk.ts'
import {
  type AddOutsideCalendarInput,
  type ChangeOutsideCalendarInput,
  type Clash,
  MAX_OUTSIDE_CALENDARS,
  type OutsideCalendar,
  type OutsideCalendarRef,
  type OutsideCalendars,
  type OutsideFailure,
  outsideFailureMessages,
  permanentFailures,
} from '#contract/outside-calendars.ts'
import { type Instant, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { OutsideCalendarRow } from '#db/tables/calendars.ts'
import { lockBusy, replaceCalendarBusy } from '#server/availability/hours/busy-times.ts'
import { getOwner } from '#server/availability/hours/read-availability.ts'
import { type AsProvider, type Context, lockOwnAccount, type Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { Semaphore } from '#server/kernel/limits/semaphore.ts'
import { httpsOf, OutsideError } from '#server/kernel/outside-address.ts'
import {
  fetchCalendar,
  fingerprintOf,
  nextReadAt,
  parseDoubts,
  parseFailure,
  type ReadResult,
  readCalendar,
  recordResult,
  sealAddress,
} from './read-calendars.ts'
import {
  countBusy,
  deleteCalendar,
  deleteCalendarsOf,
  insertCalendar,
  listCalendars,
  listClashes,
  listDeskClashes,
  resetReadings,
  resumeCalendar,
  updateCalendar,
} from './store.ts'

/** The booked visits and desk visits that overlap busy times, earliest first. */
async function readClashes(db: Db, providerNo: number, now: Instant): Promise<Clash[]> {
  const booked = (await listClashes(db, providerNo, now)).map((row) => ({
    ...row,
    patient: fullName(row.first_name, row.last_name),
  }))
  const desk = (await listDeskClashes(db, providerNo, now)).map((row) => ({
    ...row,
    patient: `${deskKindLabels[row.kind]} patient`,
  }))
  const rows = [...booked, ...desk].toSorted((one, other) => one.start_at - other.start_at)
  return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, [row, ...more]]) => {
    if (row === undefined) return []
    const names = [row, ...more].map((one) => one.calendar ?? one.import ?? '')
    return [
      {
        id,
        patient: row.patient,
        startsAt: toIso(row.start_at),
        endsAt: toIso(row.end_at),
        timeZone: row.time_zone,
        placeId: row.place_id,
        with: [...new Set(names)],
      },
    ]
  })
}

/** The viewer's outside calendars, and the booked visits that overlap busy times. */
export async function readOutside(ctx: AsProvider): Promise<OutsideCalendars> {
  const { db } = ctx.database
  const owner = await getOwner(ctx, db)
  const busy = await countBusy(db, owner.no, ctx.now())
  const calendars = await listCalendars(db, owner.no)
  return {
    calendars: calendars.map((row) => showCalendar(row, busy.get(row.id) ?? 0)),
    clashes: await readClashes(db, owner.no, ctx.now()),
  }
}

/** Throws for an address the provider has added already; returns the calendars they have. */
async function assertNewAddress(
  db: Db,
  owner: Owner,
  fingerprint: string,
): Promise<OutsideCalendarRow[]> {
  const known = await listCalendars(db, owner.no)
  if (known.some((row) => row.fingerprint === fingerprint)) {
    throw new AppError('outside_calendar_known')
  }
  return known
}

async function assertCanAdd(db: Db, owner: Owner, fingerprint: string): Promise<void> {
  const known = await assertNewAddress(db, owner, fingerprint)
  if (known.length >= MAX_OUTSIDE_CALENDARS) throw new AppError('outside_calendars_full')
}

/** Adds a calendar by its address, and reads it at once. Throws as `parseAddress` and `fetchNewCalendar` do. */
export async function addOutside(
  ctx: AsProvider,
  input: AddOutsideCalendarInput,
): Promise<OutsideCalendar> {
  const owner = await getOwner(ctx, ctx.database.db)
  const { name, skipsAllDay } = input
  const entered = parseAddress(ctx, owner, input.address)
  const { url, fingerprint } = entered
  await assertCanAdd(ctx.database.db, owner, fingerprint)
  await countReadAttempt(ctx, owner)
  const outcome = await fetchNewCalendar(ctx, owner, { ...entered, skipsAllDay })
  const id = ctx.newId('ocl')
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    await lockOwnAccount(ctx, tx)
    await lockBusy(tx.db, owner.no)
    await assertCanAdd(tx.db, owner, fingerprint)
    await insertCalendar(tx.db, {
      ...UNREAD_COLUMNS,
      id,
      provider_no: owner.no,
      name,
      host: url.host,
      sealed: sealAddress(ctx, id, url.href),
      fingerprint,
      skips_all_day: toFlag(skipsAllDay),
      unreadable: 0,
      doubts: null,
      next_read_at: nextReadAt(now, ctx.chance()),
      read_at: null,
      failing_since: null,
      failure: null,
      told_at: null,
      created_at: now,
    })
    const hasChanged = await recordResult(tx, id, { ...outcome, now, chance: ctx.chance() })
    if (hasChanged) await tx.outbox.add('provider.changed', { providerId: owner.id })
    await tx.audit.add({ action: 'outside_calendar.added', entity: id })
  })
  return readOwnCalendar(ctx, owner.no, id)
}

/** Reads a calendar now and returns its state; a failure keeps the stored times. */
export async function readOutsideNow(
  ctx: AsProvider,
  { id }: OutsideCalendarRef,
): Promise<OutsideCalendar> {
  const owner = await getOwner(ctx, ctx.database.db)
  await getOwnCalendar(ctx.database.db, owner.no, id)
  await countReadAttempt(ctx, owner)
  await refreshCalendar(ctx, owner, id)
  return readOwnCalendar(ctx, owner.no, id)
}

/** Removes a calendar: its busy times are offered again. */
export async function removeOutside(ctx: AsProvider, { id }: OutsideCalendarRef): Promise<Done> {
  const now = ctx.now()
  await ctx.transaction(async (tx) => {
    const owner = await getOwner(ctx, tx.db)
    await lockBusy(tx.db, owner.no)
    await getOwnCalendar(tx.db, owner.no, id)
    const calendar = { providerNo: owner.no, calendarId: id }
    const hasChanged = await replaceCalendarBusy(tx.db, calendar, { spans: [], now })
    await deleteCalendar(tx.db, id)
    if (hasChanged) await tx.outbox.add('provider.changed', { providerId: owner.id })
    await tx.audit.add({ action: 'outside_calendar.removed', entity: id })
  })
  return { status: true }
}

/**
 * Has a provider's calendars read again after the zone of the main place has changed: all-day entries are
 * days of that zone, and a "not modified" response would leave them where they were.
 */
export async function rereadOutside(tx: Tx, providerNo: number, now: Instant): Promise<void> {
  await resetReadings(tx.db, providerNo, now)
}

/** Deletes the calendars of a provider whose account is erased, after their busy times, in the same transaction. */
export async function eraseOutsideCalendars(tx: Tx, providerNo: number): Promise<void> {
  await deleteCalendarsOf(tx.db, providerNo)
}

/** A provider's calendars for the data export; without addresses, which are secrets. */
export async function exportOutside(
  tx: Tx,
  providerNo: number,
): Promise<Record<string, unknown>[]> {
  const rows = await listCalendars(tx.db, providerNo)
  return rows.map(({ name, host, skips_all_day, created_at, read_at, failing_since }) => {
    return { name, host, skips_all_day, created_at, read_at, failing_since_at: failing_since }
  })
}

type NewAddress = EnteredAddress & { outcome: ReadResult }

/** Reads a new address outside any transaction; null where it is the current one. */
async function fetchNewAddress(
  ctx: Context,
  owner: Owner,
  { id, address, skipsAllDay }: ChangeOutsideCalendarInput,
): Promise<NewAddress | null> {
  if (address === undefined) return null
  const { db } = ctx.database
  const { fingerprint: present } = await getOwnCalendar(db, owner.no, id)
  const entered = parseAddress(ctx, owner, address)
  if (entered.fingerprint === present) return null
  await assertNewAddress(db, owner, entered.fingerprint)
  await countReadAttempt(ctx, owner)
  return { ...entered, outcome: await fetchNewCalendar(ctx, owner, { ...entered, skipsAllDay }) }
}

type AddressChange = { row: OutsideCalendarRow; owner: Owner; newAddress: NewAddress }

/** Gives a calendar another address, and stores what was read there. */
async function writeAddress(ctx: Context, tx: Tx, { row, owner, newAddress }: AddressChange) {
  const { url, fingerprint, outcome } = newAddress
  const now = ctx.now()
  await assertNewAddress(tx.db, owner, fingerprint)
  await updateCalendar(tx.db, row.id, {
    ...UNREAD_COLUMNS,
    host: url.host,
    sealed: sealAddress(ctx, row.id, url.href),
    fingerprint,
    next_read_at: nextReadAt(now, ctx.chance()),
    // The old address's failures do not apply to this one; busy times stay until this one is read.
    failing_since: null,
    failure: null,
    told_at: null,
  })
  const hasChanged = await recordResult(tx, row.id, { ...outcome, now, chance: ctx.chance() })
  if (hasChanged) await tx.outbox.add('provider.changed', { providerId: owner.id })
}

/**
 * Renames a calendar, changes its address or whether all-day events count; the last two read it again. Throws
 * `outside_calendar_refused` and `outside_calendar_known` as when adding one.
 */
export async function changeOutside(
  ctx: AsProvider,
  input: ChangeOutsideCalendarInput,
): Promise<OutsideCalendar> {
  const { id, name, skipsAllDay } = input
  const owner = await getOwner(ctx, ctx.database.db)
  const newAddress = await fetchNewAddress(ctx, owner, input)
  const isToRead = await ctx.transaction(async (tx) => {
    await lockBusy(tx.db, owner.no)
    const row = await getOwnCalendar(tx.db, owner.no, id)
    const differs = (row.skips_all_day === 1) !== skipsAllDay
    const isOther = differs && newAddress === null
    if (isOther) await tx.attempts.take('outside_read', owner.id)
    await updateCalendar(tx.db, id, {
      name,
      skips_all_day: toFlag(skipsAllDay),
      // The stored times were read with the other setting: read everything again.
      ...(isOther && { etag: null, last_modified: null, next_read_at: ctx.now() }),
    })
    if (newAddress !== null) await writeAddress(ctx, tx, { row, owner, newAddress })
    const what = [
      row.name !== name && 'name',
      differs && 'all-day',
      newAddress !== null && 'address',
    ].filter((one) => one !== false)
    await tx.audit.add({
      action: 'outside_calendar.changed',
      entity: id,
      details: { what: what.join(' ') },
    })
    return isOther
  })
  if (isToRead) await refreshCalendar(ctx, owner, id)
  return readOwnCalendar(ctx, owner.no, id)
}

/** Owner of calendars: a provider, by number and public id. */
type Owner = { no: number; id: string }

/** A calendar as its owner sees it; `busy` counts its upcoming busy times. */
function showCalendar(row: OutsideCalendarRow, busy: number): OutsideCalendar {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    skipsAllDay: row.skips_all_day === 1,
    createdAt: toIso(row.created_at),
    readAt: row.read_at === null ? null : toIso(row.read_at),
    failingSince: row.failing_since === null ? null : toIso(row.failing_since),
    failure: parseFailure(row.failure),
    pausedAt: row.told_at === null ? null : toIso(row.told_at),
    unreadable: row.unreadable,
    doubts: parseDoubts(row.doubts),
    busy,
  }
}

/** One of the viewer's calendars; somebody else's is `not_found`. */
async function getOwnCalendar(db: Db, providerNo: number, id: string): Promise<OutsideCalendarRow> {
  const row = (await listCalendars(db, providerNo)).find((one) => one.id === id)
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** One of the viewer's calendars, as returned to them. */
async function readOwnCalendar(
  ctx: Context,
  providerNo: number,
  id: string,
): Promise<OutsideCalendar> {
  const { db } = ctx.database
  const row = await getOwnCalendar(db, providerNo, id)
  return showCalendar(row, (await countBusy(db, providerNo, ctx.now())).get(id) ?? 0)
}

function addressError(failure: OutsideFailure): AppError {
  const issues = [{ path: 'address', message: outsideFailureMessages[failure] }]
  return new AppError('outside_calendar_refused', {}, { issues })
}

/** Parses an address; throws `outside_calendar_refused` for an invalid one. */
function urlOf(address: string): URL {
  try {
    return httpsOf(address)
  } catch (error) {
    throw error instanceof OutsideError ? addressError(error.failure) : error
  }
}

/** An address a provider entered, and the hash that detects duplicates among their own. */
type EnteredAddress = { url: URL; fingerprint: string }

/** Parses an address as it was typed; throws `outside_calendar_refused` for one we do not read. */
function parseAddress(ctx: Context, owner: Owner, address: string): EnteredAddress {
  const url = urlOf(address)
  return { url, fingerprint: fingerprintOf(ctx, owner.id, url.href) }
}

/** Columns of a calendar that has not been read yet. */
const UNREAD_COLUMNS = { etag: null, last_modified: null, covered_to: '' }

/**
 * Reads a newly entered address in full. Throws `outside_calendar_refused` for failures that will not pass;
 * temporary ones are retried later.
 */
async function fetchNewCalendar(
  ctx: Context,
  owner: Owner,
  { url, fingerprint, skipsAllDay }: EnteredAddress & { skipsAllDay: boolean },
): Promise<ReadResult> {
  const asked = { ...UNREAD_COLUMNS, provider_no: owner.no, address: url.href, fingerprint }
  const outcome = await requested.pass(
    () => fetchCalendar(ctx, { ...asked, skipsAllDay }),
    owner.id,
  )
  if (typeof outcome.reading === 'string' && permanentFailures.has(outcome.reading)) {
    throw addressError(outcome.reading)
  }
  return outcome
}

/** Counts a reading the provider requested towards the rate limit. */
function countReadAttempt(ctx: Context, { id }: Owner): Promise<void> {
  return ctx.transaction((tx) => tx.attempts.take('outside_read', id))
}

/** Readings that providers wait for, beside those that are due: one of each at a time. */
const requested = new Semaphore({ running: 4, runningOfOne: 1, waiting: 5, waitingInAll: 100 })

/** Reads one of the viewer's calendars outside its schedule. A paused one is read by its schedule again, too. */
async function refreshCalendar(ctx: Context, owner: Owner, id: string): Promise<void> {
  const { db } = ctx.database
  await updateCalendar(db, id, { next_read_at: nextReadAt(ctx.now(), ctx.chance()) })
  await resumeCalendar(db, id)
  const row = await getOwnCalendar(db, owner.no, id)
  await requested.pass(() => readCalendar(ctx, row, owner.id), owner.id)
}
