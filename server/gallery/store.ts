import { type Expression, type Selectable, type SqlBool, sql } from 'kysely'
import { HOMEPAGE_ID } from '#contract/gallery.ts'
import type { Instant, WholeRow } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type {
  GalleryFileRow,
  GalleryImageRow,
  HomepageRow,
  HomepageVersionRow,
} from '#db/tables/gallery.ts'

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
function isUsed(image: Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`(
    exists (select 1 from homepage_versions where image_url = ${image} or modal_image = ${image})
    or exists (select 1 from homepage where image_url = ${image} or modal_image = ${image})
  )`
}

export type ImageRow = Selectable<GalleryImageRow>
type Purpose = ImageRow['purpose']

/** The images of the gallery with the account that added each, newest first. */
export function listGallery(db: Db) {
  return db
    .selectFrom('gallery_images as i')
    .leftJoin('accounts as a', 'a.id', 'i.uploaded_by')
    .selectAll('i')
    .select(['a.first_name', 'a.last_name', 'a.email'])
    .where('i.purpose', '=', 'gallery')
    .where('i.removed_at', 'is', null)
    .orderBy('i.no', 'desc')
    .execute()
}

/** The files of images, smallest size first. */
export async function listFiles(db: Db, imageNos: number[]): Promise<GalleryFileRow[]> {
  if (imageNos.length === 0) return []
  return db
    .selectFrom('gallery_files')
    .selectAll()
    .where('image_no', 'in', imageNos)
    .orderBy('image_no')
    .orderBy('width')
    .execute()
}

/** Images by URL, for any purpose, including those removed from the gallery. */
export async function listByUrl(db: Db, urls: string[]) {
  if (urls.length === 0) return []
  return db
    .selectFrom('gallery_images')
    .select(['no', 'image_url', 'alt'])
    .where('image_url', 'in', urls)
    .orderBy('no')
    .execute()
}

/** An image that can be chosen for one of these purposes; undefined if there is none. */
export function findAvailable(db: Db, url: string, purposes: Purpose[]) {
  return db
    .selectFrom('gallery_images')
    .select('no')
    .where('image_url', '=', url)
    .where('purpose', 'in', purposes)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
}

/** An image with this purpose and these bytes, even a removed one; undefined when new. */
export function findSame(db: Db, purpose: Purpose, url: string): Promise<ImageRow | undefined> {
  return db
    .selectFrom('gallery_images')
    .selectAll()
    .where('image_url', '=', url)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
}

/** An image of the gallery by its id, or undefined. */
export function findImage(db: Db, id: string): Promise<ImageRow | undefined> {
  return db
    .selectFrom('gallery_images')
    .selectAll()
    .where('id', '=', id)
    .where('purpose', '=', 'gallery')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export async function insertImage(
  db: Db,
  row: WholeRow<GalleryImageRow>,
  files: Omit<GalleryFileRow, 'image_no'>[],
): Promise<void> {
  const { no } = await db
    .insertInto('gallery_images')
    .values(row)
    .returning('no')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('gallery_files')
    .values(files.map((file) => ({ image_no: no, ...file })))
    .execute()
}

type Change = Partial<Pick<ImageRow, 'alt' | 'removed_at' | 'uploaded_by' | 'created_at'>>

export async function updateImage(db: Db, no: number, change: Change): Promise<void> {
  await db.updateTable('gallery_images').set(change).where('no', '=', no).execute()
}

/** Restores removed images that a version of the homepage shows again. */
export async function restoreImages(db: Db, urls: string[]): Promise<void> {
  if (urls.length === 0) return
  await db
    .updateTable('gallery_images')
    .set({ removed_at: null })
    .where('image_url', 'in', urls)
    .execute()
}

/** Number of images an account keeps, and the bytes of all their sizes. */
export async function countImages(
  db: Db,
  userId: string,
): Promise<{ files: number; bytes: number }> {
  const row = await db
    .selectFrom('gallery_images')
    .select(({ fn }) => [
      fn.countAll<number>().as('files'),
      fn.sum<number | null>('bytes').as('bytes'),
    ])
    .where('uploaded_by', '=', userId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { files: row.files, bytes: row.bytes ?? 0 }
}

/**
 * Deletes removed images, and modal images from before `unsavedBefore`, unless a version of the homepage needs
 * them. Returns the paths of their files.
 */
export async function deleteUnused(db: Db, unsavedBefore: Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('gallery_images as i')
    .select('i.no')
    .where((where) =>
      where.or([
        where('i.removed_at', 'is not', null),
        where.and([where('i.purpose', '=', 'modal'), where('i.created_at', '<', unsavedBefore)]),
      ]),
    )
    .where((where) => where.not(isUsed(where.ref('i.image_url'))))
    .execute()
  const nos = rows.map(({ no }) => no)
  if (nos.length === 0) return []
  const files = await db
    .deleteFrom('gallery_files')
    .where('image_no', 'in', nos)
    .returning('path')
    .execute()
  await db.deleteFrom('gallery_images').where('no', 'in', nos).execute()
  return files.map(({ path }) => path)
}
