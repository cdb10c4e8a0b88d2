import type { Done } from '#contract/auth.ts'
import {
  type AddOutsideCalendarInput,
  type Clash,
  MAX_OUTSIDE_CALENDARS,
  type OutsideCalendar,
  type OutsideCalendarRef,
  type OutsideCalendars,
} from '#contract/outside-calendars.ts'
import { toIso } from '#contract/time.ts'
import { toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { lockBusy, replaceCalendarBusy } from '#server/availability/hours/busy-times.ts'
import { getOwner } from '#server/availability/hours/read-availability.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  countReadAttempt,
  fetchNewCalendar,
  getOwnCalendar,
  parseAddress,
  readOwnCalendar,
  refreshCalendar,
  showCalendar,
  UNREAD_COLUMNS,
} from './own-calendars.ts'
import { recordResult } from './read-calendars.ts'
import { nextReadAt } from './rules.ts'
import { sealAddress } from './seal-address.ts'
import {
  countBusy,
  deleteCalendar,
  deleteCalendarsOf,
  insertCalendar,
  listCalendars,
  listClashes,
} from './store.ts'

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

/** The viewer's outside calendars, and the booked visits that overlap busy times. */
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

async function assertCanAdd(db: Db, providerNo: number, fingerprint: string): Promise<void> {
  const known = await listCalendars(db, providerNo)
  if (known.some((row) => row.fingerprint === fingerprint)) {
    throw new AppError('outside_calendar_known')
  }
  if (known.length >= MAX_OUTSIDE_CALENDARS) throw new AppError('outside_calendars_full')
}

/** Adds a calendar by its address, and reads it at once. Throws as `parseAddress` and `fetchNewCalendar` do. */
export async function addOutside(
  ctx: Context,
  input: AddOutsideCalendarInput,
): Promise<OutsideCalendar> {
  const owner = await getOwner(ctx, ctx.database.db)
  const { name, skipsAllDay } = input
  const entered = parseAddress(ctx, owner, input.address)
  const { url, fingerprint } = entered
  await assertCanAdd(ctx.database.db, owner.no, fingerprint)
  await countReadAttempt(ctx, owner)
  const outcome = await fetchNewCalendar(ctx, owner, { ...entered, skipsAllDay })
  const id = ctx.newId('ocl')
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    await lockBusy(tx.db, owner.no)
    await assertCanAdd(tx.db, owner.no, fingerprint)
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
      next_read_at: nextReadAt(now, ctx.chance()),
      read_at: null,
      failing_since: null,
      failure: null,
      told_at: null,
      created_at: now,
    })
    const hasChanged = await recordResult(tx, id, { ...outcome, now })
    if (hasChanged) await tx.outbox.add('provider.changed', { providerId: owner.id })
    await tx.audit.add({ action: 'outside_calendar.added', entity: id })
  })
  return readOwnCalendar(ctx, owner.no, id)
}

/** Reads a calendar now and returns its state; a failure keeps the stored times. */
export async function readOutsideNow(
  ctx: Context,
  { id }: OutsideCalendarRef,
): Promise<OutsideCalendar> {
  const owner = await getOwner(ctx, ctx.database.db)
  await getOwnCalendar(ctx.database.db, owner.no, id)
  await countReadAttempt(ctx, owner)
  await refreshCalendar(ctx, owner, id)
  return readOwnCalendar(ctx, owner.no, id)
}

/** Removes a calendar: its busy times are offered again. */
export async function removeOutside(ctx: Context, { id }: OutsideCalendarRef): Promise<Done> {
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

/** Deletes the calendars of a provider who leaves, after their busy times, in the same transaction. */
export async function forgetOutside(tx: Tx, providerNo: number): Promise<void> {
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
