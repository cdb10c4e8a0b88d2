import type { Done } from '#contract/base/done.ts'
import { ImageId } from '#contract/base/ids.ts'
import { shownName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import {
  type DescribeImageInput,
  GALLERY_QUOTA,
  type Gallery,
  type ImageResponse,
  type RemoveImageInput,
} from '#contract/gallery.ts'
import { type AsStaff, type Services, systemContext, type Tx } from '#server/context.ts'
import type { PictureSize } from '#server/gateways/pictures.ts'
import { maskedEmail } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readSizes } from './show-homepage.ts'
import {
  countImages,
  deleteUnused,
  findImage,
  findSame,
  type ImageRow,
  insertImage,
  listGallery,
  lockHomepage,
  updateImage,
} from './store.ts'

/** Whether an account that keeps `mine` has no room for an image of `bytes`. */
function isFull(mine: { files: number; bytes: number }, bytes: number): boolean {
  return mine.files >= GALLERY_QUOTA.files || mine.bytes + bytes > GALLERY_QUOTA.bytes
}

type Person = { first_name: string | null; last_name: string | null; email: string | null }

/** A colleague as shown to others: by name, else by a masked email address. */
export function colleagueName({ email, ...person }: Person): string | null {
  const name = shownName(person)
  if (name !== '') return name
  return email === null ? null : maskedEmail(email)
}

/** Whether staff may change or remove an image: authors only their own. */
function mayEdit(
  viewer: AsStaff['viewer'],
  { uploaded_by }: { uploaded_by: string | null },
): boolean {
  return viewer.role !== 'author' || uploaded_by === viewer.id
}

/** By then every upload has succeeded or failed. */
const UPLOAD_GRACE_MS = 10 * 60_000

type Upload = { bytes: Uint8Array; purpose: ImageRow['purpose'] }

async function assertCapacity(ctx: AsStaff, db: Tx['db'], bytes: number): Promise<void> {
  if (isFull(await countImages(db, ctx.viewer.id), bytes)) throw new AppError('gallery_full')
}

/** Enqueues removal of the files after a delay, unless a row names them by then. */
function enqueueRemoval(
  ctx: AsStaff,
  sizes: readonly PictureSize[],
  afterMs: number,
): Promise<void> {
  return ctx.transaction(async (tx) => {
    for (const { path } of sizes) await tx.outbox.add('picture.dropped', { path }, afterMs)
  })
}

/** Inserts the image's row unless one with the same bytes exists; returns its id. */
async function saveRow(
  ctx: AsStaff,
  tx: Tx,
  { drawn, purpose }: { drawn: readonly PictureSize[]; purpose: ImageRow['purpose'] },
): Promise<string> {
  const largest = drawn.at(-1)
  if (largest === undefined) throw new Error('The image has no sizes.')
  await lockHomepage(tx.db)
  const bytes = drawn.reduce((sum, { file }) => sum + file.length, 0)
  const now = ctx.now()
  const same = await findSame(tx.db, purpose, largest.path)
  if (same !== undefined && same.removed_at === null) {
    // A modal image counts as just uploaded.
    if (purpose === 'modal') await updateImage(tx.db, same.no, { created_at: now })
    return same.id
  }
  await assertCapacity(ctx, tx.db, bytes)
  const id = same?.id ?? ImageId.parse(ctx.newId('img'))
  const owner = { uploaded_by: ctx.viewer.id, created_at: now, removed_at: null }
  if (same === undefined) {
    const { path, width, height } = largest
    await insertImage(
      tx.db,
      { id, purpose, image_url: path, alt: '', width, height, bytes, ...owner },
      drawn.map(({ file, ...size }) => ({ ...size, bytes: file.length })),
    )
  } else {
    await updateImage(tx.db, same.no, owner)
  }
  const action = purpose === 'gallery' ? 'gallery.uploaded' : 'homepage.image_uploaded'
  await tx.audit.add({ action, entity: id, details: { bytes, files: drawn.length } })
  return id
}

/**
 * Saves an image uploaded by staff, re-encoded in several sizes, for the gallery or the modal. Identical
 * images are stored once. Throws `gallery_full`, or an `image_…` code for an image that is not accepted.
 */
export async function saveImage(ctx: AsStaff, { bytes, purpose }: Upload): Promise<ImageResponse> {
  if (ctx.viewer.role === 'author') {
    await ctx.transaction((tx) => tx.attempts.take('gallery_author', ctx.viewer.id))
  }
  await assertCapacity(ctx, ctx.database.db, 0)
  const drawn = await ctx.pictures.encodeSizes(bytes)
  // Enqueue before writing the first file: even if this process dies, no file is left without a row.
  await enqueueRemoval(ctx, drawn, UPLOAD_GRACE_MS)
  let id: string
  try {
    await ctx.pictures.save(drawn)
    id = await ctx.transaction((tx) => saveRow(ctx, tx, { drawn, purpose }))
    // A concurrent request may have removed the same image in between.
    await ctx.pictures.save(drawn)
  } catch (error) {
    // Remove them earlier, if that can still be enqueued.
    await enqueueRemoval(ctx, drawn, 0).catch(() => undefined)
    throw error
  }
  return { status: true, id, image_url: drawn.at(-1)?.path ?? '' }
}

/** The gallery for staff, and how much of it the viewer has added. */
export async function listImages(ctx: AsStaff): Promise<Gallery> {
  const { db } = ctx.database
  const rows = await listGallery(db)
  const sizes = await readSizes(
    db,
    rows.map(({ no }) => no),
  )
  return {
    images: rows.map((row) => ({
      id: row.id,
      image_url: row.image_url,
      alt: row.alt,
      width: row.width,
      height: row.height,
      bytes: row.bytes,
      sizes: sizes.get(row.no) ?? [],
      uploadedAt: toIso(row.created_at),
      by: colleagueName(row),
      isMine: row.uploaded_by === ctx.viewer.id,
    })),
    mine: await countImages(db, ctx.viewer.id),
  }
}

/**
 * Removes an image from the gallery; authors may remove only their own. Its files stay while a version of the
 * homepage needs them. An image on the current homepage cannot be removed.
 */
export async function removeImage(ctx: AsStaff, { id }: RemoveImageInput): Promise<Done> {
  await ctx.transaction(async (tx) => {
    const { image_url, modal_image } = await lockHomepage(tx.db)
    const image = await findImage(tx.db, id)
    if (image === undefined) throw new AppError('not_found')
    if (!mayEdit(ctx.viewer, image)) throw new AppError('forbidden')
    if ([image_url, modal_image].includes(image.image_url)) throw new AppError('image_in_use')
    const now = ctx.now()
    await updateImage(tx.db, image.no, { removed_at: now })
    await dropUnused(tx, now)
    await tx.audit.add({ action: 'gallery.removed', entity: id })
  })
  return { status: true }
}

/** Sets the alternative text of an image; authors may do so only for their own. */
export async function describeImage(ctx: AsStaff, { id, alt }: DescribeImageInput): Promise<Done> {
  await ctx.transaction(async (tx) => {
    await lockHomepage(tx.db)
    const image = await findImage(tx.db, id)
    if (image === undefined) throw new AppError('not_found')
    if (!mayEdit(ctx.viewer, image)) throw new AppError('forbidden')
    if (image.alt === alt) return
    await updateImage(tx.db, image.no, { alt })
    await tx.audit.add({ action: 'gallery.described', entity: id })
  })
  return { status: true }
}

/** Age at which a modal image that was uploaded but never saved is deleted. */
const UNSAVED_MS = 60 * 60_000

/** Deletes images no version can show again; the caller has locked the homepage. */
export async function dropUnused(tx: Tx, now: number): Promise<void> {
  for (const path of await deleteUnused(tx.db, now - UNSAVED_MS)) {
    await tx.outbox.add('picture.dropped', { path })
  }
}

/** Deletes modal images that were never saved, and half-written files. */
export async function purgeImages(services: Services): Promise<void> {
  const ctx = systemContext(services, 'forget-images')
  await ctx.transaction(async (tx) => {
    await lockHomepage(tx.db)
    await dropUnused(tx, ctx.now())
  })
  await services.pictures.sweep(ctx.now())
}
