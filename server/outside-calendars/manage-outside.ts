import type { Done } from '#contract/auth.ts'
import {
  type AddOutsideCalendarInput,
  type ChangeOutsideCalendarInput,
  type Clash,
  lastingFailures,
  MAX_OUTSIDE_CALENDARS,
  type OutsideCalendar,
  type OutsideCalendarRef,
  type OutsideCalendars,
  type OutsideFailure,
  outsideFailureWords,
} from '#contract/outside-calendars.ts'
import { toIso } from '#contract/time.ts'
import { toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { OutsideCalendarRow } from '#db/tables/outside-calendars.ts'
import { lockBusy, replaceCalendarBusy } from '#server/availability/hours/busy-times.ts'
import { getOwner } from '#server/availability/hours/read-mine.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { httpsOf, OutsideError } from '#server/kernel/outside-address.ts'
import { ask, note, readOne } from './read-calendars.ts'
import { failureOf, nextReadAt } from './rules.ts'
import { fingerprintOf, sealAddress } from './seal-address.ts'
import {
  countBusy,
  deleteCalendar,
  insertCalendar,
  listCalendars,
  listClashes,
  updateCalendar,
} from './store.ts'

function showCalendar(row: OutsideCalendarRow, busy: number): OutsideCalendar {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    skipsAllDay: row.skips_all_day === 1,
    createdAt: toIso(row.created_at),
    readAt: row.read_at === null ? null : toIso(row.read_at),
    failingSince: row.failing_since === null ? null : toIso(row.failing_since),
    failure: failureOf(row.failure),
    unreadable: row.unreadable,
    busy,
  }
}

function clashesOf(rows: Awaited<ReturnType<typeof listClashes>>): Clash[] {
  return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, [row, ...more]]) => {
    if (row === undefined) return []
    const names = [row, ...more].map((one) => one.calendar ?? one.import ?? '')
    return [
      {
        id,
        patient: `${row.first_name} ${row.last_name}`.trim(),
        startsAt: toIso(row.start_at),
        endsAt: toIso(row.end_at),
        timeZone: row.time_zone,
        placeId: row.place_id,
        with: [...new Set(names)],
      },
    ]
  })
}

/** The viewer's outside calendars, and the booked visits that meet what is known of other times. */
export async function readOutside(ctx: Context): Promise<OutsideCalendars> {
  const { db } = ctx.database
  const owner = await getOwner(ctx, db)
  const busy = await countBusy(db, owner.no, ctx.now())
  const calendars = await listCalendars(db, owner.no)
  return {
    calendars: calendars.map((row) => showCalendar(row, busy.get(row.id) ?? 0)),
    clashes: clashesOf(await listClashes(db, owner.no, ctx.now())),
  }
}

/** One of the viewer's calendars; somebody else's is `not_found`. */
async function pickOwn(db: Db, providerNo: number, id: string): Promise<OutsideCalendarRow> {
  const row = (await listCalendars(db, providerNo)).find((one) => one.id === id)
  if (row === undefined) throw new AppError('not_found')
  return row
}

async function shown(ctx: Context, providerNo: number, id: string): Promise<OutsideCalendar> {
  const { db } = ctx.database
  const row = await pickOwn(db, providerNo, id)
  return showCalendar(row, (await countBusy(db, providerNo, ctx.now())).get(id) ?? 0)
}

function refused(failure: OutsideFailure): AppError {
  const issues = [{ path: 'address', message: outsideFailureWords[failure] }]
  return new AppError('outside_calendar_refused', {}, { issues })
}

/** An address as it will be read. */
function urlOf(address: string): URL {
  try {
    return httpsOf(address)
  } catch (error) {
    throw error instanceof OutsideError ? refused(error.failure) : error
  }
}

async function assertRoom(db: Db, providerNo: number, fingerprint: string): Promise<void> {
  const known = await listCalendars(db, providerNo)
  if (known.some((row) => row.fingerprint === fingerprint)) {
    throw new AppError('outside_calendar_known')
  }
  if (known.length >= MAX_OUTSIDE_CALENDARS) throw new AppError('outside_calendars_full')
}

function countReading(ctx: Context, providerId: string): Promise<void> {
  return ctx.transaction((tx) => tx.attempts.take('outside_read', providerId))
}

/**
 * Adds a calendar by its address, and reads it at once. `outside_calendar_refused` for an address that
 * will never give a calendar; a server that only does not answer now is asked again later.
 */
export async function addOutside(
  ctx: Context,
  input: AddOutsideCalendarInput,
): Promise<OutsideCalendar> {
  const owner = await getOwner(ctx, ctx.database.db)
  const { name, skipsAllDay } = input
  const url = urlOf(input.address)
  const fingerprint = fingerprintOf(ctx, owner.id, url.href)
  await assertRoom(ctx.database.db, owner.no, fingerprint)
  await countReading(ctx, owner.id)
  const nothing = { etag: null, last_modified: null, covered_to: '' }
  const asked = { ...nothing, provider_no: owner.no, address: url.href, skipsAllDay }
  const outcome = await ask(ctx, asked)
  if (typeof outcome.reading === 'string' && lastingFailures.has(outcome.reading)) {
    throw refused(outcome.reading)
  }
  const id = ctx.newId('ocl')
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    await lockBusy(tx.db, owner.no)
    await assertRoom(tx.db, owner.no, fingerprint)
    await insertCalendar(tx.db, {
      ...nothing,
      id,
      provider_no: owner.no,
      name,
      host: url.host,
      sealed: sealAddress(ctx, id, url.href),
      fingerprint,
      skips_all_day: toFlag(skipsAllDay),
      unreadable: 0,
      next_read_at: nextReadAt(now, ctx.chance()),
      read_at: null,
      failing_since: null,
      failure: null,
      told_at: null,
      created_at: now,
    })
    const hasChanged = await note(tx, id, { ...outcome, now })
    if (hasChanged) await tx.outbox.add('provider.changed', { providerId: owner.id })
    await tx.audit.add({ action: 'outside_calendar.added', entity: id })
  })
  return shown(ctx, owner.no, id)
}

/** Renames a calendar, or has whole days count in it or not; then it is read anew. */
export async function changeOutside(
  ctx: Context,
  input: ChangeOutsideCalendarInput,
): Promise<OutsideCalendar> {
  const { id, name, skipsAllDay } = input
  const owner = await getOwner(ctx, ctx.database.db)
  const isOther = await ctx.transaction(async (tx) => {
    await lockBusy(tx.db, owner.no)
    const row = await pickOwn(tx.db, owner.no, id)
    const differs = (row.skips_all_day === 1) !== skipsAllDay
    if (differs) await tx.attempts.take('outside_read', owner.id)
    await updateCalendar(tx.db, id, {
      name,
      skips_all_day: toFlag(skipsAllDay),
      // What is known was read otherwise: all of it is asked for again.
      ...(differs && { etag: null, last_modified: null, next_read_at: ctx.now() }),
    })
    await tx.audit.add({ action: 'outside_calendar.changed', entity: id })
    return differs
  })
  if (isOther) await readAgain(ctx, owner, id)
  return shown(ctx, owner.no, id)
}

type Owner = { no: number; id: string }

async function readAgain(ctx: Context, owner: Owner, id: string): Promise<void> {
  const row = await pickOwn(ctx.database.db, owner.no, id)
  await updateCalendar(ctx.database.db, id, { next_read_at: nextReadAt(ctx.now(), ctx.chance()) })
  await readOne(ctx, row, owner.id)
}

/** Reads a calendar now. What came of it stands in the answer; a failure keeps what was known. */
export async function readOutsideNow(
  ctx: Context,
  { id }: OutsideCalendarRef,
): Promise<OutsideCalendar> {
  const owner = await getOwner(ctx, ctx.database.db)
  await pickOwn(ctx.database.db, owner.no, id)
  await countReading(ctx, owner.id)
  await readAgain(ctx, owner, id)
  return shown(ctx, owner.no, id)
}

/** Removes a calendar: what was busy in it is offered again. */
export async function removeOutside(ctx: Context, { id }: OutsideCalendarRef): Promise<Done> {
  const now = ctx.now()
  await ctx.transaction(async (tx) => {
    const owner = await getOwner(ctx, tx.db)
    await lockBusy(tx.db, owner.no)
    await pickOwn(tx.db, owner.no, id)
    const calendar = { providerNo: owner.no, calendarId: id }
    const hasChanged = await replaceCalendarBusy(tx.db, calendar, { spans: [], now })
    await deleteCalendar(tx.db, id)
    if (hasChanged) await tx.outbox.add('provider.changed', { providerId: owner.id })
    await tx.audit.add({ action: 'outside_calendar.removed', entity: id })
  })
  return { status: true }
}
