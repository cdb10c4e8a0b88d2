import {
  type OutsideCalendar,
  type OutsideFailure,
  outsideFailureMessages,
  permanentFailures,
} from '#contract/outside-calendars.ts'
import { toIso } from '#contract/time.ts'
import type { Db } from '#db/engine.ts'
import type { OutsideCalendarRow } from '#db/tables/outside-calendars.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { httpsOf, OutsideError } from '#server/kernel/outside-address.ts'
import { fetchCalendar, type ReadResult, readCalendar } from './read-calendars.ts'
import { nextReadAt, parseFailure } from './rules.ts'
import { fingerprintOf } from './seal-address.ts'
import { countBusy, listCalendars, updateCalendar } from './store.ts'

/** Owner of calendars: a provider, by number and public id. */
export type Owner = { no: number; id: string }

/** A calendar as its owner sees it; `busy` counts its upcoming busy times. */
export function showCalendar(row: OutsideCalendarRow, busy: number): OutsideCalendar {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    skipsAllDay: row.skips_all_day === 1,
    createdAt: toIso(row.created_at),
    readAt: row.read_at === null ? null : toIso(row.read_at),
    failingSince: row.failing_since === null ? null : toIso(row.failing_since),
    failure: parseFailure(row.failure),
    unreadable: row.unreadable,
    busy,
  }
}

/** One of the viewer's calendars; somebody else's is `not_found`. */
export async function getOwnCalendar(
  db: Db,
  providerNo: number,
  id: string,
): Promise<OutsideCalendarRow> {
  const row = (await listCalendars(db, providerNo)).find((one) => one.id === id)
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** One of the viewer's calendars, as returned to them. */
export async function readOwnCalendar(
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
export type EnteredAddress = { url: URL; fingerprint: string }

/** Parses an address as it was typed; throws `outside_calendar_refused` for one we do not read. */
export function parseAddress(ctx: Context, owner: Owner, address: string): EnteredAddress {
  const url = urlOf(address)
  return { url, fingerprint: fingerprintOf(ctx, owner.id, url.href) }
}

/** Columns of a calendar that has not been read yet. */
export const UNREAD_COLUMNS = { etag: null, last_modified: null, covered_to: '' }

/**
 * Reads a newly entered address in full. Throws `outside_calendar_refused` for failures that will not pass;
 * temporary ones are retried later.
 */
export async function fetchNewCalendar(
  ctx: Context,
  owner: Owner,
  { url, fingerprint, skipsAllDay }: EnteredAddress & { skipsAllDay: boolean },
): Promise<ReadResult> {
  const asked = { ...UNREAD_COLUMNS, provider_no: owner.no, address: url.href, fingerprint }
  const outcome = await fetchCalendar(ctx, { ...asked, skipsAllDay })
  if (typeof outcome.reading === 'string' && permanentFailures.has(outcome.reading)) {
    throw addressError(outcome.reading)
  }
  return outcome
}

/** Counts a reading the provider requested towards the rate limit. */
export function countReadAttempt(ctx: Context, { id }: Owner): Promise<void> {
  return ctx.transaction((tx) => tx.attempts.take('outside_read', id))
}

/** Reads one of the viewer's calendars outside its schedule. */
export async function refreshCalendar(ctx: Context, owner: Owner, id: string): Promise<void> {
  const row = await getOwnCalendar(ctx.database.db, owner.no, id)
  await updateCalendar(ctx.database.db, id, { next_read_at: nextReadAt(ctx.now(), ctx.chance()) })
  await readCalendar(ctx, row, owner.id)
}
