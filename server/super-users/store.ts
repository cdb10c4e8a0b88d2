import type { StaffRole } from '#contract/base/staff.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isPostgres } from '#db/run-sql.ts'
import type { StartLinkRow } from '#db/tables/auth.ts'

/** More staff than any installation has; an unbounded list would invite denial of service. */
const MAX_STAFF = 1_000

const COLUMNS = [
  'no',
  'id',
  'email',
  'role',
  'must_change_password',
  'suspended_at',
  'created_at',
] as const

function staff(db: Db) {
  return db
    .selectFrom('accounts')
    .select(COLUMNS)
    .where('kind', '=', 'staff')
    .where('erased_at', 'is', null)
}

/** All staff, in the order in which they were added. */
export function listStaff(db: Db) {
  return staff(db).orderBy('no').limit(MAX_STAFF).execute()
}

export type StaffRow = Awaited<ReturnType<typeof listStaff>>[number]

/** A staff account by `user_id`; undefined for patients and providers. */
export function findStaff(db: Db, id: string): Promise<StaffRow | undefined> {
  return staff(db).where('id', '=', id).executeTakeFirst()
}

/** A staff account by number, unless it was removed. */
export function findStaffByNo(db: Db, no: number): Promise<StaffRow | undefined> {
  return staff(db).where('no', '=', no).executeTakeFirst()
}

/**
 * Locks accounts until the end of the transaction, always in the same order, so that two superusers who
 * remove each other are serialised. On SQLite only one transaction writes anyway.
 */
export async function lockStaff(db: Db, numbers: readonly number[]): Promise<void> {
  if (!isPostgres(db)) return
  await db
    .selectFrom('accounts')
    .select('no')
    .where('no', 'in', numbers)
    .orderBy('no')
    .forUpdate()
    .execute()
}

/**
 * The role of a session's account, with both rows locked so that neither changes before this transaction
 * ends; undefined when the session has ended. On SQLite only one transaction writes anyway.
 */
export function lockActor(db: Db, by: { accountNo: number; sessionId: string }) {
  return db
    .selectFrom('accounts as a')
    .innerJoin('sessions as s', 's.account_no', 'a.no')
    .select('a.role')
    .where('a.no', '=', by.accountNo)
    .where('a.suspended_at', 'is', null)
    .where('s.id', '=', by.sessionId)
    .where('s.ended_at', 'is', null)
    .$if(isPostgres(db), (actor) => actor.forShare(['a', 's']))
    .executeTakeFirst()
}

export async function setRole(
  db: Db,
  no: number,
  change: { role: StaffRole; now: Instant },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ role: change.role, updated_at: change.now })
    .where('no', '=', no)
    .execute()
}

/** Whether nobody was ever added, or everybody was removed. */
export async function isWithoutStaff(db: Db): Promise<boolean> {
  return (await staff(db).limit(1).executeTakeFirst()) === undefined
}

export async function insertStartLink(db: Db, row: StartLinkRow): Promise<void> {
  await db.insertInto('start_links').values(row).execute()
}

/** Whether a start link still works. */
export async function isStartLink(db: Db, hash: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('start_links')
    .select('hash')
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Uses up every start link and returns those that still worked. A concurrent request with another link waits
 * here, and finds its link used.
 */
export async function useStartLinks(db: Db, now: Instant): Promise<string[]> {
  const rows = await db
    .updateTable('start_links')
    .set({ used_at: now })
    .where('used_at', 'is', null)
    .returning(['hash', 'expires_at'])
    .execute()
  return rows.filter((row) => row.expires_at > now).map(({ hash }) => hash)
}
