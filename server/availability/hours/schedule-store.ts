import type { ExpressionBuilder, Insertable, Updateable } from 'kysely'
import type { Instant } from '#db/columns.ts'
import { type Db, lockRows } from '#db/engine.ts'
import type {
  AbsenceRow,
  BlockRow,
  BusyTimeRow,
  ExtraDateRow,
  ScheduleRow,
  WeeklyHoursRow,
} from '#db/tables/availability.ts'
import type { Tables } from '#db/tables.ts'

/** Slots are as long as the shortest type of visit. */
function shortestVisit(eb: ExpressionBuilder<Tables, 'providers'>) {
  return eb
    .selectFrom('visit_types as t')
    .select(({ fn }) => fn.min('t.minutes').as('minutes'))
    .whereRef('t.provider_no', '=', 'providers.no')
    .where('t.archived_at', 'is', null)
    .$asScalar()
    .$notNull()
    .as('step_minutes')
}

/** The columns of a provider that hours depend on. */
export function findOwner(db: Db, providerId: string) {
  return db
    .selectFrom('providers')
    .select(['no', 'id', 'region', 'verification_status'])
    .select(shortestVisit)
    .where('id', '=', providerId)
    .executeTakeFirst()
}

/** Region, and lengths of the first and the shortest type, by provider. */
export function listOwners(db: Db, providerNos: readonly number[]) {
  return db
    .selectFrom('providers')
    .select(['no', 'region', 'consultation_minutes'])
    .select(shortestVisit)
    .where('no', 'in', providerNos)
    .execute()
}

/**
 * Locks these providers, as a hold does: serializes changes of their slots and claims. SQLite has a single
 * writer anyway.
 */
export async function lockProviders(db: Db, providerNos: readonly number[]): Promise<void> {
  await lockRows(db, 'providers', providerNos)
}

export function listSchedules(db: Db, providerNos: readonly number[]) {
  return db.selectFrom('schedules').selectAll().where('provider_no', 'in', providerNos).execute()
}

/** Places of these providers, the main one of each first. */
export function listRulePlaces(db: Db, providerNos: readonly number[]) {
  return db
    .selectFrom('places')
    .select(['no', 'id', 'provider_no', 'name', 'locality', 'postcode', 'time_zone'])
    .where('provider_no', 'in', providerNos)
    .where('removed_at', 'is', null)
    .orderBy('provider_no')
    .orderBy('position')
    .execute()
}

export function listHours(db: Db, providerNos: readonly number[]) {
  return db
    .selectFrom('weekly_hours')
    .selectAll()
    .where('provider_no', 'in', providerNos)
    .orderBy('week')
    .orderBy('weekday')
    .orderBy('from_minute')
    .orderBy('no')
    .execute()
}

/** Extra dates from an ISO date on, by day. */
export function listExtraDates(db: Db, providerNos: readonly number[], from: string) {
  return db
    .selectFrom('extra_dates')
    .selectAll()
    .where('provider_no', 'in', providerNos)
    .where('date', '>=', from)
    .orderBy('date')
    .orderBy('from_minute')
    .orderBy('id')
    .execute()
}

/** Absences that end on or after an ISO date, by day. */
export function listAbsences(db: Db, providerNos: readonly number[], from: string) {
  return db
    .selectFrom('absences')
    .selectAll()
    .where('provider_no', 'in', providerNos)
    .where('to_date', '>=', from)
    .orderBy('from_date')
    .orderBy('id')
    .execute()
}

/** Blocks that end on or after an ISO date, by day. */
export function listBlocks(db: Db, providerNos: readonly number[], from: string) {
  return (
    db
      .selectFrom('blocks')
      .selectAll()
      .where('provider_no', 'in', providerNos)
      // Weekly blocks run to their last day, or without end.
      .where((eb) =>
        eb.or([
          eb('date', '>=', from),
          eb('until_date', '>=', from),
          eb.and([eb('is_weekly', '=', 1), eb('until_date', 'is', null)]),
        ]),
      )
      .orderBy('date')
      .orderBy('from_minute')
      .orderBy('id')
      .execute()
  )
}

/** Busy time of these providers that has not ended, by start. */
export function listBusy(db: Db, providerNos: readonly number[], now: Instant) {
  return db
    .selectFrom('busy_times')
    .select(['provider_no', 'start_at', 'end_at', 'source', 'label'])
    .where('provider_no', 'in', providerNos)
    .where('end_at', '>', now)
    .orderBy('start_at')
    .execute()
}

/** Inserts the first schedule of a provider. */
export async function insertSchedule(db: Db, row: Insertable<ScheduleRow>): Promise<void> {
  await db.insertInto('schedules').values(row).execute()
}

export async function updateSchedule(
  db: Db,
  providerNo: number,
  change: Updateable<ScheduleRow>,
): Promise<void> {
  await db.updateTable('schedules').set(change).where('provider_no', '=', providerNo).execute()
}

/** Replaces all weekly hours of a provider. */
export async function replaceHours(
  db: Db,
  providerNo: number,
  rows: readonly Insertable<WeeklyHoursRow>[],
): Promise<void> {
  await db.deleteFrom('weekly_hours').where('provider_no', '=', providerNo).execute()
  if (rows.length > 0) await db.insertInto('weekly_hours').values(rows).execute()
}

export async function insertExtraDates(db: Db, rows: readonly ExtraDateRow[]): Promise<void> {
  await db.insertInto('extra_dates').values(rows).execute()
}

export async function insertAbsence(db: Db, row: AbsenceRow): Promise<void> {
  await db.insertInto('absences').values(row).execute()
}

export async function insertBlock(db: Db, row: BlockRow): Promise<void> {
  await db.insertInto('blocks').values(row).execute()
}

type OwnRule = { providerNo: number; id: string }

/** Deletes one of a provider's extra dates, absences or blocks; returns whether there was one. */
export async function deleteRule(
  db: Db,
  table: 'absences' | 'blocks' | 'extra_dates',
  { providerNo, id }: OwnRule,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom(table)
    .where('id', '=', id)
    .where('provider_no', '=', providerNo)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/**
 * Deletes hours, dates and absences of one place, or all rules of a provider, including blocks, which belong
 * to no place.
 */
export async function deleteRules(
  db: Db,
  providerNo: number,
  placeNo: number | null,
): Promise<void> {
  for (const table of ['weekly_hours', 'extra_dates', 'absences'] as const) {
    let query = db.deleteFrom(table).where('provider_no', '=', providerNo)
    if (placeNo !== null) query = query.where('place_no', '=', placeNo)
    await query.execute()
  }
  if (placeNo === null) {
    await db.deleteFrom('blocks').where('provider_no', '=', providerNo).execute()
    await db.deleteFrom('busy_times').where('provider_no', '=', providerNo).execute()
    await db.deleteFrom('schedules').where('provider_no', '=', providerNo).execute()
  }
}

/** Booked visits of a provider that have not ended, earliest first. */
export function listUpcomingVisits(db: Db, providerNo: number, now: Instant) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('places as l', 'l.no', 'b.place_no')
    .select([
      'b.id',
      'b.start_at',
      'b.end_at',
      'b.time_zone',
      'b.place_no',
      'l.id as place_id',
      'a.first_name',
      'a.last_name',
    ])
    .where('b.provider_no', '=', providerNo)
    .where('b.state', '=', 'confirmed')
    .where('b.end_at', '>', now)
    .orderBy('b.start_at')
    .execute()
}

/** Desk visits of a provider that have not ended, earliest first. Patients' details are encrypted. */
export function listUpcomingDesk(db: Db, providerNo: number, now: Instant) {
  return db
    .selectFrom('desk_visits as d')
    .innerJoin('places as l', 'l.no', 'd.place_no')
    .select([
      'd.id',
      'd.kind',
      'd.start_at',
      'd.end_at',
      'd.time_zone',
      'd.place_no',
      'l.id as place_id',
    ])
    .where('d.provider_no', '=', providerNo)
    .where('d.state', '=', 'confirmed')
    .where('d.end_at', '>', now)
    .orderBy('d.start_at')
    .execute()
}

/** The stored busy times of a calendar, by start. */
export function listCalendarBusy(
  db: Db,
  calendarId: string,
): Promise<{ start: Instant; end: Instant }[]> {
  return db
    .selectFrom('busy_times')
    .select(['start_at as start', 'end_at as end'])
    .where('calendar_id', '=', calendarId)
    .orderBy('start_at')
    .execute()
}

export async function deleteCalendarBusy(db: Db, calendarId: string): Promise<void> {
  await db.deleteFrom('busy_times').where('calendar_id', '=', calendarId).execute()
}

const INSERT_BATCH_SIZE = 100

export async function insertBusy(db: Db, rows: readonly Insertable<BusyTimeRow>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERT_BATCH_SIZE) {
    await db
      .insertInto('busy_times')
      .values(rows.slice(from, from + INSERT_BATCH_SIZE))
      .execute()
  }
}

/** Deletes imported times by their keys, at most a batch of them; returns how many there were. */
export async function deleteBusyByKey(
  db: Db,
  providerNo: number,
  keys: readonly string[],
): Promise<number> {
  const deleted = await db
    .deleteFrom('busy_times')
    .where('provider_no', '=', providerNo)
    .where('key', 'in', keys)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Number of a provider's imported times that have not ended. */
export async function countImported(db: Db, providerNo: number, now: Instant): Promise<number> {
  const { count } = await db
    .selectFrom('busy_times')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('provider_no', '=', providerNo)
    .where('source', '=', 'import')
    .where('end_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteImportedBusy(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('busy_times').where('import_id', '=', importId).execute()
}

export async function deleteOldImported(db: Db, before: Instant): Promise<void> {
  await db
    .deleteFrom('busy_times')
    .where('source', '=', 'import')
    .where('end_at', '<', before)
    .execute()
}
