import type { Insertable, Updateable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { OutsideCalendarRow } from '#db/tables/calendars.ts'

/** A provider's outside calendars, the oldest first. */
export function listCalendars(db: Db, providerNo: number): Promise<OutsideCalendarRow[]> {
  return db
    .selectFrom('outside_calendars')
    .selectAll()
    .where('provider_no', '=', providerNo)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Number of upcoming busy times, by calendar. */
export async function countBusy(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('busy_times')
    .select(({ fn }) => ['calendar_id', fn.countAll<number>().as('count')])
    .where('provider_no', '=', providerNo)
    .where('calendar_id', 'is not', null)
    .where('end_at', '>', now)
    .groupBy('calendar_id')
    .execute()
  return new Map(rows.map((row) => [row.calendar_id ?? '', row.count]))
}

export function findCalendar(db: Db, id: string): Promise<OutsideCalendarRow | undefined> {
  return db.selectFrom('outside_calendars').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertCalendar(
  db: Db,
  row: Insertable<OutsideCalendarRow>,
): Promise<OutsideCalendarRow> {
  return db.insertInto('outside_calendars').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateCalendar(
  db: Db,
  id: string,
  change: Updateable<OutsideCalendarRow>,
): Promise<void> {
  await db.updateTable('outside_calendars').set(change).where('id', '=', id).execute()
}

/** Lets a paused calendar be read again; its failures count from now on. */
export async function resumeCalendar(db: Db, id: string): Promise<void> {
  await db
    .updateTable('outside_calendars')
    .set({ failing_since: null, failure: null, told_at: null })
    .where('id', '=', id)
    .where('told_at', 'is not', null)
    .execute()
}

/** Has all calendars of a provider read again as a whole, as if they were new. */
export async function resetReadings(db: Db, providerNo: number, now: Instant): Promise<void> {
  await db
    .updateTable('outside_calendars')
    .set({ etag: null, last_modified: null, covered_to: '', next_read_at: now })
    .where('provider_no', '=', providerNo)
    .execute()
}

export async function deleteCalendar(db: Db, id: string): Promise<void> {
  await db.deleteFrom('outside_calendars').where('id', '=', id).execute()
}

/** Deletes the calendars of a provider whose account is erased; their busy times must be gone already. */
export async function deleteCalendarsOf(db: Db, providerNo: number): Promise<void> {
  await db.deleteFrom('outside_calendars').where('provider_no', '=', providerNo).execute()
}

/**
 * Calendars due for reading, the longest overdue first: those that fail, or the others, including those that do not
 * cover a day that has come into view. Paused ones are never due.
 */
export function listDue(
  db: Db,
  { now, isFailing, limit }: { now: Instant; isFailing: boolean; limit: number },
) {
  return db
    .selectFrom('outside_calendars as c')
    .innerJoin('providers as p', 'p.no', 'c.provider_no')
    .leftJoin('schedules as s', 's.provider_no', 'c.provider_no')
    .selectAll('c')
    .select('p.id as provider_id')
    .where('c.told_at', 'is', null)
    .where('c.failing_since', isFailing ? 'is not' : 'is', null)
    .where((eb) =>
      eb.or([
        eb('c.next_read_at', '<=', now),
        ...(isFailing ? [] : [eb('s.generated_to', '>', eb.ref('c.covered_to'))]),
      ]),
    )
    .orderBy('c.next_read_at')
    .limit(limit)
    .execute()
}

export type DueCalendar = Awaited<ReturnType<typeof listDue>>[number]

/** Claims a calendar for reading; false when another process was first. */
export async function claimForReading(
  db: Db,
  { id, next_read_at: before }: OutsideCalendarRow,
  next: Instant,
): Promise<boolean> {
  const taken = await db
    .updateTable('outside_calendars')
    .set({ next_read_at: next })
    .where('id', '=', id)
    .where('next_read_at', '=', before)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

/** Which of these visits and desk visits are with this provider. */
export async function listOwnVisits(
  db: Db,
  providerNo: number,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const of = (table: 'bookings' | 'desk_visits') =>
    db
      .selectFrom(table)
      .select('id')
      .where('provider_no', '=', providerNo)
      .where('id', 'in', ids)
      .execute()
  const rows = [...(await of('bookings')), ...(await of('desk_visits'))]
  return new Set(rows.map((row) => row.id))
}

/** Upcoming booked visits that overlap busy times, earliest first: one row per calendar or import. */
export function listClashes(db: Db, providerNo: number, now: Instant) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('busy_times as t', (join) =>
      join
        .onRef('t.provider_no', '=', 'b.provider_no')
        .onRef('t.start_at', '<', 'b.end_at')
        .onRef('t.end_at', '>', 'b.start_at'),
    )
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .leftJoin('outside_calendars as c', 'c.id', 't.calendar_id')
    .leftJoin('imports as i', 'i.id', 't.import_id')
    .select([
      'b.id',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'l.id as place_id',
      'a.first_name',
      'a.last_name',
      'c.name as calendar',
      'i.name as import',
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.state', '=', 'confirmed')
    .where('b.end_at', '>', now)
    .orderBy('b.start_at')
    .limit(1_000)
    .execute()
}

/** Upcoming desk visits that overlap busy times, as `listClashes` lists booked ones. */
export function listDeskClashes(db: Db, providerNo: number, now: Instant) {
  return db
    .selectFrom('desk_visits as d')
    .innerJoin('busy_times as t', (join) =>
      join
        .onRef('t.provider_no', '=', 'd.provider_no')
        .onRef('t.start_at', '<', 'd.end_at')
        .onRef('t.end_at', '>', 'd.start_at'),
    )
    .innerJoin('places as l', 'l.no', 'd.place_no')
    .leftJoin('outside_calendars as c', 'c.id', 't.calendar_id')
    .leftJoin('imports as i', 'i.id', 't.import_id')
    .select([
      'd.id',
      'd.kind',
      'd.start_at',
      'd.end_at',
      'd.time_zone',
      'l.id as place_id',
      'c.name as calendar',
      'i.name as import',
    ])
    .where('d.provider_no', '=', providerNo)
    .where('d.state', '=', 'confirmed')
    .where('d.end_at', '>', now)
    .orderBy('d.start_at')
    .limit(1_000)
    .execute()
}

/** A calendar and its owner, to be emailed; undefined once either is gone. */
export function findWithOwner(db: Db, id: string) {
  return db
    .selectFrom('outside_calendars as c')
    .innerJoin('accounts as a', 'a.provider_no', 'c.provider_no')
    .select([
      'c.name',
      'c.failing_since',
      'c.failure',
      'a.id as user_id',
      'a.email',
      'a.first_name',
    ])
    .where('c.id', '=', id)
    .where('a.erased_at', 'is', null)
    .executeTakeFirst()
}
