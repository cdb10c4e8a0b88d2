import {
  lastingFailures,
  type OutsideCalendar,
  type OutsideFailure,
  outsideFailureWords,
} from '#contract/outside-calendars.ts'
import { toIso } from '#contract/time.ts'
import type { Db } from '#db/engine.ts'
import type { OutsideCalendarRow } from '#db/tables/outside-calendars.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { httpsOf, OutsideError } from '#server/kernel/outside-address.ts'
import { ask, type Outcome, readOne } from './read-calendars.ts'
import { failureOf, nextReadAt } from './rules.ts'
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
    failure: failureOf(row.failure),
    unreadable: row.unreadable,
    busy,
  }
}

/** One of the viewer's calendars; somebody else's is `not_found`. */
export async function pickOwn(db: Db, providerNo: number, id: string): Promise<OutsideCalendarRow> {
  const row = (await listCalendars(db, providerNo)).find((one) => one.id === id)
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** One of the viewer's calendars, as returned to them. */
export async function shown(
  ctx: Context,
  providerNo: number,
  id: string,
): Promise<OutsideCalendar> {
  const { db } = ctx.database
  const row = await pickOwn(db, providerNo, id)
  return showCalendar(row, (await countBusy(db, providerNo, ctx.now())).get(id) ?? 0)
}

function refused(failure: OutsideFailure): AppError {
  const issues = [{ path: 'address', message: outsideFailureWords[failure] }]
  return new AppError('outside_calendar_refused', {}, { issues })
}

/** Parses an address; throws `outside_calendar_refused` for an invalid one. */
function urlOf(address: string): URL {
  try {
    return httpsOf(address)
  } catch (error) {
    throw error instanceof OutsideError ? refused(error.failure) : error
  }
}

/** An address a provider entered, and the hash that detects duplicates among their own. */
export type Given = { url: URL; fingerprint: string }

/** Parses an address as it was typed; throws `outside_calendar_refused` for one we do not read. */
export function readAddress(ctx: Context, owner: Owner, address: string): Given {
  const url = urlOf(address)
  return { url, fingerprint: fingerprintOf(ctx, owner.id, url.href) }
}

/** Columns of a calendar that has not been read yet. */
export const NOTHING_READ = { etag: null, last_modified: null, covered_to: '' }

/**
 * Reads a newly entered address in full. Throws `outside_calendar_refused` for failures that will not pass;
 * temporary ones are retried later.
 */
export async function askGiven(
  ctx: Context,
  owner: Owner,
  { url, fingerprint, skipsAllDay }: Given & { skipsAllDay: boolean },
): Promise<Outcome> {
  const asked = { ...NOTHING_READ, provider_no: owner.no, address: url.href, fingerprint }
  const outcome = await ask(ctx, { ...asked, skipsAllDay })
  if (typeof outcome.reading === 'string' && lastingFailures.has(outcome.reading)) {
    throw refused(outcome.reading)
  }
  return outcome
}

/** Counts a reading the provider requested towards the rate limit. */
export function countReading(ctx: Context, { id }: Owner): Promise<void> {
  return ctx.transaction((tx) => tx.attempts.take('outside_read', id))
}

/** Reads one of the viewer's calendars outside its schedule. */
export async function readAgain(ctx: Context, owner: Owner, id: string): Promise<void> {
  const row = await pickOwn(ctx.database.db, owner.no, id)
  await updateCalendar(ctx.database.db, id, { next_read_at: nextReadAt(ctx.now(), ctx.chance()) })
  await readOne(ctx, row, owner.id)
}
