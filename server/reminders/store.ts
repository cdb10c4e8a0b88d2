import type { Insertable } from 'kysely'
import { DEFAULT_REMINDERS } from '#contract/reminders.ts'
import type { Instant, WallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ReminderRow, ReminderSettingsRow } from '#db/tables/booking.ts'
import type { ReminderKind } from './rules.ts'

/** An account's settings; undefined for the defaults. */
export function findSettings(db: Db, accountNo: number) {
  return db
    .selectFrom('reminder_settings')
    .selectAll()
    .where('account_no', '=', accountNo)
    .executeTakeFirst()
}

/** Inserts or replaces an account's settings. */
export async function saveSettings(db: Db, row: ReminderSettingsRow): Promise<void> {
  const { account_no: _key, ...columns } = row
  await db
    .insertInto('reminder_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('account_no').doUpdateSet(columns))
    .execute()
}

/** Turns every reminder of an account off, and keeps its other settings. */
export async function turnOffReminders(db: Db, accountNo: number, now: Instant): Promise<void> {
  await db
    .insertInto('reminder_settings')
    .values({
      account_no: accountNo,
      week: 0,
      day: 0,
      from_hour: DEFAULT_REMINDERS.fromHour,
      to_hour: DEFAULT_REMINDERS.toHour,
      discreet: 0,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('account_no').doUpdateSet({ week: 0, day: 0, updated_at: now }),
    )
    .execute()
}

/** An account by its id, unless it is erased. */
export function findOwner(db: Db, userId: string) {
  return db
    .selectFrom('accounts')
    .select(['no', 'id', 'email'])
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
}

/** Deletes the settings of an erased account. */
export async function deleteSettings(db: Db, userId: string): Promise<void> {
  const account = db
    .selectFrom('accounts')
    .select('no')
    .where('id', '=', userId)
    .where('erased_at', 'is not', null)
  await db.deleteFrom('reminder_settings').where('account_no', 'in', account).execute()
}

/** Booked visits whose patients want this kind of reminder, without one for their current start. */
function selectUnreminded(db: Db, kind: ReminderKind) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .leftJoin('reminder_settings as s', 's.account_no', 'b.patient_no')
    .select([
      'b.no',
      'a.no as patient_no',
      'b.start_at',
      'b.wall_at',
      'b.time_zone',
      'b.confirmed_at',
      'b.changed_at',
      'b.created_at',
      's.from_hour',
      's.to_hour',
    ])
    .where('b.state', '=', 'confirmed')
    .where('a.erased_at', 'is', null)
    .where((where) => where.or([where('s.account_no', 'is', null), where(`s.${kind}`, '=', 1)]))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('reminders as r')
            .select('r.booking_no')
            .whereRef('r.booking_no', '=', 'b.no')
            .whereRef('r.start_at', '=', 'b.start_at')
            .where('r.kind', '=', kind),
        ),
      ),
    )
}

export type Unreminded = Awaited<ReturnType<ReturnType<typeof selectUnreminded>['execute']>>[number]

type Starts = {
  from: Instant
  to: Instant
  /** The last row of the previous page. */
  after: Pick<Unreminded, 'start_at' | 'no'> | null
  limit: number
}

/** A page of visits without a reminder, by their starts; `from` and `to` are inclusive. */
export function listUnreminded(db: Db, kind: ReminderKind, starts: Starts) {
  const { from, to, after, limit } = starts
  let query = selectUnreminded(db, kind)
    .where('b.start_at', '>=', from)
    .where('b.start_at', '<=', to)
    .orderBy('b.start_at')
    .orderBy('b.no')
    .limit(limit)
  if (after !== null) {
    // As a row comparison, so that a page is an index range scan.
    query = query.where((where) =>
      where(where.refTuple('b.start_at', 'b.no'), '>', where.tuple(after.start_at, after.no)),
    )
  }
  return query.execute()
}

/** One patient's visits without a reminder, in a range of local time; `to` is exclusive. */
export function listUnremindedOf(
  db: Db,
  kind: ReminderKind,
  of: { patientNo: number; from: WallClock; to: WallClock },
) {
  return selectUnreminded(db, kind)
    .where('b.patient_no', '=', of.patientNo)
    .where('b.wall_at', '>=', of.from)
    .where('b.wall_at', '<', of.to)
    .orderBy('b.no')
    .execute()
}

/** Inserts reminders that do not exist yet; returns how many there were. */
export async function insertReminders(
  db: Db,
  rows: readonly Insertable<ReminderRow>[],
): Promise<number> {
  if (rows.length === 0) return 0
  const written = await db
    .insertInto('reminders')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['booking_no', 'kind', 'start_at']).doNothing())
    .returning('booking_no')
    .execute()
  return written.length
}

/**
 * The reminders of one email with the facts that decide whether they are still valid, earliest visit first.
 */
export function listBatch(db: Db, batch: string) {
  return db
    .selectFrom('reminders as r')
    .innerJoin('bookings as b', 'b.no', 'r.booking_no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .leftJoin('reminder_settings as s', 's.account_no', 'a.no')
    .select([
      'r.kind',
      'r.start_at as told_start',
      'r.due_at',
      'b.id as booking_id',
      'b.state',
      'b.start_at',
      'a.id as user_id',
      'a.email',
      'a.first_name',
      'a.erased_at',
      's.week',
      's.day',
      's.discreet',
    ])
    .where('r.batch', '=', batch)
    .orderBy('b.start_at')
    .orderBy('b.no')
    .execute()
}

export type BatchRow = Awaited<ReturnType<typeof listBatch>>[number]
