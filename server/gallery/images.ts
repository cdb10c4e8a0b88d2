import type { Done } from '#contract/auth.ts'
import type {
  DescribeImageInput,
  Gallery,
  ImageAnswer,
  RemoveImageInput,
} from '#contract/gallery-staff.ts'
import { ImageId } from '#contract/ids.ts'
import { toIso } from '#contract/time.ts'
import { type Services, systemContext, type Tx } from '#server/context.ts'
import type { DrawnSize } from '#server/gateways/pictures.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  countOf,
  deleteUnneeded,
  findImage,
  findSame,
  type ImageRow,
  insertImage,
  listGallery,
  updateImage,
} from './image-store.ts'
import { type AsStaff, colleague, isFull, mayTouch } from './rules.ts'
import { readSizes } from './show-homepage.ts'
import { lockHomepage } from './store.ts'

/** Long after an upload is over one way or the other. */
const LATER_MS = 10 * 60_000

type Upload = { bytes: Uint8Array; purpose: ImageRow['purpose'] }

async function assertRoom(ctx: AsStaff, db: Tx['db'], bytes: number): Promise<void> {
  if (isFull(await countOf(db, ctx.viewer.id), bytes)) throw new AppError('gallery_full')
}

/** Has the files removed after a while, unless a row names them by then. */
function oweFiles(ctx: AsStaff, drawn: readonly DrawnSize[], afterMs: number): Promise<void> {
  return ctx.transaction(async (tx) => {
    for (const { path } of drawn) await tx.outbox.add('picture.dropped', { path }, afterMs)
  })
}

/** The image's row, made now unless the same bytes are there already; answers its id. */
async function keepRow(
  ctx: AsStaff,
  tx: Tx,
  { drawn, purpose }: { drawn: readonly DrawnSize[]; purpose: ImageRow['purpose'] },
): Promise<string> {
  const largest = drawn.at(-1)
  if (largest === undefined) throw new Error('An image was drawn in no size.')
  await lockHomepage(tx.db)
  const bytes = drawn.reduce((sum, { file }) => sum + file.length, 0)
  const now = ctx.now()
  const same = await findSame(tx.db, purpose, largest.path)
  if (same !== undefined && same.removed_at === null) {
    // One for the modal counts from now on as just uploaded.
    if (purpose === 'modal') await updateImage(tx.db, same.no, { created_at: now })
    return same.id
  }
  await assertRoom(ctx, tx.db, bytes)
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
 * Keeps an image staff have sent, drawn anew in several sizes: for the gallery, or for the notice. The
 * same bytes are kept once. Throws `gallery_full`, and an `image_…` code when it is none we take.
 */
export async function keepImage(ctx: AsStaff, { bytes, purpose }: Upload): Promise<ImageAnswer> {
  if (ctx.viewer.role === 'author') {
    await ctx.transaction((tx) => tx.attempts.take('gallery_author', ctx.viewer.id))
  }
  await assertRoom(ctx, ctx.database.db, 0)
  const drawn = await ctx.pictures.drawSizes(bytes)
  // Before the first is written: whatever becomes of this process, no file stays without a row.
  await oweFiles(ctx, drawn, LATER_MS)
  let id: string
  try {
    await ctx.pictures.keep(drawn)
    id = await ctx.transaction((tx) => keepRow(ctx, tx, { drawn, purpose }))
    // Somebody may have removed the same image in between.
    await ctx.pictures.keep(drawn)
  } catch (error) {
    // Sooner, where that can be written down.
    await oweFiles(ctx, drawn, 0).catch(() => undefined)
    throw error
  }
  return { status: true, id, image_url: drawn.at(-1)?.path ?? '' }
}

/** The gallery as staff see it, and how much of it is their own. */
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
      by: colleague(row),
      isMine: row.uploaded_by === ctx.viewer.id,
    })),
    mine: await countOf(db, ctx.viewer.id),
  }
}

/**
 * Takes an image out of the gallery; an author does so with their own. Its files stay as long as a
 * version of the homepage needs them. What the homepage shows now cannot be removed.
 */
export async function removeImage(ctx: AsStaff, { id }: RemoveImageInput): Promise<Done> {
  await ctx.transaction(async (tx) => {
    const { image_url, modal_image } = await lockHomepage(tx.db)
    const image = await findImage(tx.db, id)
    if (image === undefined) throw new AppError('not_found')
    if (!mayTouch(ctx.viewer, image)) throw new AppError('forbidden')
    if ([image_url, modal_image].includes(image.image_url)) throw new AppError('image_in_use')
    const now = ctx.now()
    await updateImage(tx.db, image.no, { removed_at: now })
    await dropUnneeded(tx, now)
    await tx.audit.add({ action: 'gallery.removed', entity: id })
  })
  return { status: true }
}

/** Says in words what an image shows; an author does so for their own. */
export async function describeImage(ctx: AsStaff, { id, alt }: DescribeImageInput): Promise<Done> {
  await ctx.transaction(async (tx) => {
    await lockHomepage(tx.db)
    const image = await findImage(tx.db, id)
    if (image === undefined) throw new AppError('not_found')
    if (!mayTouch(ctx.viewer, image)) throw new AppError('forbidden')
    if (image.alt === alt) return
    await updateImage(tx.db, image.no, { alt })
    await tx.audit.add({ action: 'gallery.described', entity: id })
  })
  return { status: true }
}

/** An image for the modal that was uploaded and never saved is forgotten after that. */
const UNSENT_MS = 60 * 60_000

/** Forgets images nobody can come back to; call it with the homepage locked. */
export async function dropUnneeded(tx: Tx, now: number): Promise<void> {
  for (const path of await deleteUnneeded(tx.db, now - UNSENT_MS)) {
    await tx.outbox.add('picture.dropped', { path })
  }
}

/** Forgets images for a modal that was never saved, and what half-written files there are. */
export async function forgetImages(services: Services): Promise<void> {
  const ctx = systemContext(services, 'forget-images')
  await ctx.transaction(async (tx) => {
    await lockHomepage(tx.db)
    await dropUnneeded(tx, ctx.now())
  })
  await services.pictures.sweep(ctx.now())
}
