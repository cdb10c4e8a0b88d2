import { toIso } from '#contract/base/time.ts'
import {
  HOMEPAGE_ID,
  type HomepageState,
  type HomepageVersions,
  MAX_VERSIONS,
  type PublishColorInput,
  type PublishImageInput,
  type PublishModalInput,
  type RestoreInput,
} from '#contract/gallery.ts'
import { toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { HomepageVersionRow } from '#db/tables/gallery.ts'
import type { AsStaff, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { colleagueName, dropUnused } from './images.ts'
import { showHomepages } from './show-homepage.ts'
import {
  deleteVersionsBefore,
  findAvailable,
  findVersion,
  getHomepage,
  type HomepageRecord,
  hasVersions,
  type ImageRow,
  insertVersion,
  listVersions as listRows,
  lockHomepage,
  restoreImages,
  updateHomepage,
} from './store.ts'

/** The homepage fields that staff edit and a version keeps. */
const CONTENT = [
  'image_url',
  'color',
  'modal_image',
  'show_modal',
  'modal_heading',
  'modal_description',
] as const

type Field = (typeof CONTENT)[number]
type Content = Record<Field, string | number | null>

/** Whether two records agree in the fields named. */
function areEqual(a: Content, b: Partial<Content>, fields: readonly Field[]): boolean {
  return fields.every((field) => a[field] === b[field])
}

type Change = Partial<Pick<HomepageRecord, Field>>

type Publication = {
  act: HomepageVersionRow['act']
  /** The version the person was looking at; undefined when the client did not send it. */
  seen: number | undefined
  restored?: number
  /** Returns the fields to change in the current record; throws when the change is not allowed. */
  change: (tx: Tx, now: HomepageRecord) => Promise<Change>
}

function contentOf(record: Pick<HomepageRecord, Field>): Pick<HomepageRecord, Field> {
  const { image_url, color, modal_image, show_modal, modal_heading, modal_description } = record
  return { image_url, color, modal_image, show_modal, modal_heading, modal_description }
}

/** Refuses a change based on an old version, unless only other fields have changed since. */
async function assertUnchanged(
  tx: Tx,
  current: HomepageRecord,
  { seen, fields }: { seen: number | undefined; fields: Field[] },
): Promise<void> {
  if (seen === undefined || seen === current.version) return
  const then = await findVersion(tx.db, seen)
  if (then === undefined || !areEqual(current, then, fields)) throw new AppError('homepage_changed')
}

/** Stores the record before the first change as a version without an author, so that it can be restored. */
async function saveInitialVersion(tx: Tx, before: HomepageRecord): Promise<void> {
  if (await hasVersions(tx.db)) return
  await insertVersion(tx.db, {
    ...contentOf(before),
    version: before.version,
    at: before.updated_at,
    actor_id: null,
    act: 'start',
    restored: null,
  })
}

async function write(ctx: AsStaff, tx: Tx, { act, seen, restored, change }: Publication) {
  const before = await lockHomepage(tx.db)
  const changes = await change(tx, before)
  const fields = CONTENT.filter((field) => changes[field] !== undefined)
  // Nothing to change: a repeated request makes no version.
  if (areEqual(before, changes, fields)) return
  await assertUnchanged(tx, before, { seen, fields })
  await saveInitialVersion(tx, before)
  const now = ctx.now()
  const version = before.version + 1
  const after = { ...before, ...changes, version, updated_at: now }
  await updateHomepage(tx.db, after)
  await insertVersion(tx.db, {
    ...contentOf(after),
    version,
    at: now,
    actor_id: ctx.viewer.id,
    act,
    restored: restored ?? null,
  })
  await deleteVersionsBefore(tx.db, version - MAX_VERSIONS + 1)
  await dropUnused(tx, now)
  const details = { what: act, version, ...(restored === undefined ? {} : { restored }) }
  await tx.audit.add({ action: 'homepage.changed', entity: HOMEPAGE_ID, details })
}

async function publish(ctx: AsStaff, publication: Publication): Promise<HomepageState> {
  await ctx.transaction((tx) => write(ctx, tx, publication))
  return readState(ctx.database.db)
}

async function assertAvailable(
  tx: Tx,
  url: string,
  purposes: ImageRow['purpose'][],
): Promise<void> {
  const image = await findAvailable(tx.db, url, purposes)
  if (image === undefined) throw new AppError('image_not_in_gallery')
}

/** Makes an image of the gallery the one on the homepage. */
export function publishImage(ctx: AsStaff, input: PublishImageInput): Promise<HomepageState> {
  const { image_url, version: seen } = input
  return publish(ctx, {
    act: 'image',
    seen,
    async change(tx, now) {
      if (now.image_url !== image_url) await assertAvailable(tx, image_url, ['gallery'])
      return { image_url }
    },
  })
}

/** Sets the colour of the homepage. */
export function publishColor(ctx: AsStaff, input: PublishColorInput): Promise<HomepageState> {
  const { color, version: seen } = input
  return publish(ctx, { act: 'color', seen, change: () => Promise.resolve({ color }) })
}

/** Sets the homepage's modal: text, picture, and whether it is shown. */
export function publishModal(ctx: AsStaff, input: PublishModalInput): Promise<HomepageState> {
  const { modal_heading, modal_description, modal_image, version: seen } = input
  return publish(ctx, {
    act: 'modal',
    seen,
    async change(tx, now) {
      const words = { modal_heading, modal_description, show_modal: toFlag(input.show_modal) }
      if (modal_image === undefined) return words
      if (modal_image !== null && modal_image !== now.modal_image) {
        await assertAvailable(tx, modal_image, ['modal', 'gallery'])
      }
      return { ...words, modal_image }
    },
  })
}

/** Restores a version of the homepage; images removed since then return to the gallery. */
export function restoreVersion(ctx: AsStaff, input: RestoreInput): Promise<HomepageState> {
  const { to, version: seen } = input
  return publish(ctx, {
    act: 'restored',
    seen,
    restored: to,
    async change(tx) {
      const then = await findVersion(tx.db, to)
      if (then === undefined) throw new AppError('not_found')
      const urls = [then.image_url, then.modal_image].filter((url) => url !== null)
      await restoreImages(tx.db, urls)
      return contentOf(then)
    },
  })
}

/** The homepage together with the number of its version. */
async function readState(db: Db): Promise<HomepageState> {
  const record = await getHomepage(db)
  const [homepage] = await showHomepages(db, [record])
  if (homepage === undefined) throw new Error('The homepage was not shown.')
  return { ...homepage, version: record.version }
}

/** The current homepage and its versions: who changed what and when. */
export async function listVersions(db: Db): Promise<HomepageVersions> {
  const rows = await listRows(db)
  const homepages = await showHomepages(db, rows)
  return {
    current: await readState(db),
    versions: rows.flatMap((row, at) => {
      const homepage = homepages[at]
      if (homepage === undefined) return []
      const { version, act, restored } = row
      return [{ version, at: toIso(row.at), by: colleagueName(row), act, restored, homepage }]
    }),
  }
}
