import type { ImageAnswer } from '#contract/gallery-staff.ts'
import { ImageId } from '#contract/ids.ts'
import type { Tx } from '#server/context.ts'
import type { DrawnSize } from '#server/gateways/pictures.ts'
import { AppError } from '#server/kernel/errors.ts'
import { countOf, findSame, type ImageRow, insertImage, updateImage } from './image-store.ts'
import { type AsStaff, isFull } from './rules.ts'
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
