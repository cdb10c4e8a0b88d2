import { type Expression, type SqlBool, sql } from 'kysely'
import { HOMEPAGE_ID } from '#contract/gallery.ts'
import type { WholeRow } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { HomepageRow, HomepageVersionRow } from '#db/tables/gallery.ts'

export type HomepageRecord = Omit<HomepageRow, 'version'> & { version: number }

/** The homepage until staff change it. */
const DEFAULTS: HomepageRecord = {
  id: HOMEPAGE_ID,
  image_url: null,
  color: '#ffffff',
  modal_image: null,
  show_modal: 0,
  modal_heading: '',
  modal_description: '',
  updated_at: 0,
  version: 0,
}

/** The one homepage record, or the defaults while there is none. */
export async function getHomepage(db: Db): Promise<HomepageRecord> {
  const row = await db
    .selectFrom('homepage')
    .selectAll()
    .where('id', '=', HOMEPAGE_ID)
    .executeTakeFirst()
  return row ?? DEFAULTS
}

/**
 * Locks the homepage record for this transaction: changes of it, or of the images it may show, run one after
 * the other.
 */
export async function lockHomepage(db: Db): Promise<HomepageRecord> {
  await db
    .insertInto('homepage')
    .values(DEFAULTS)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  // An update locks the row on both engines.
  return db
    .updateTable('homepage')
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', HOMEPAGE_ID)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateHomepage(db: Db, record: HomepageRecord): Promise<void> {
  await db.updateTable('homepage').set(record).where('id', '=', HOMEPAGE_ID).execute()
}

type VersionRow = WholeRow<HomepageVersionRow>

export async function insertVersion(db: Db, row: VersionRow): Promise<void> {
  await db.insertInto('homepage_versions').values(row).execute()
}

/** A version that is still kept, or undefined. */
export function findVersion(db: Db, version: number): Promise<VersionRow | undefined> {
  return db
    .selectFrom('homepage_versions')
    .selectAll()
    .where('version', '=', version)
    .executeTakeFirst()
}

/** Whether anything was ever changed. */
export async function hasVersions(db: Db): Promise<boolean> {
  const row = await db.selectFrom('homepage_versions').select('version').limit(1).executeTakeFirst()
  return row !== undefined
}

export async function deleteVersionsBefore(db: Db, version: number): Promise<void> {
  await db.deleteFrom('homepage_versions').where('version', '<', version).execute()
}

/** Every version with who made it, newest first. */
export function listVersions(db: Db) {
  return db
    .selectFrom('homepage_versions as v')
    .leftJoin('accounts as a', 'a.id', 'v.actor_id')
    .selectAll('v')
    .select(['a.first_name', 'a.last_name', 'a.email'])
    .orderBy('v.version', 'desc')
    .execute()
}

/** Whether the homepage or one of its versions shows an image, given its URL as an expression. */
export function isUsed(image: Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`(
    exists (select 1 from homepage_versions where image_url = ${image} or modal_image = ${image})
    or exists (select 1 from homepage where image_url = ${image} or modal_image = ${image})
  )`
}
