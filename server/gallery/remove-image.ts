import type { Done } from '#contract/auth.ts'
import type { RemoveImageInput } from '#contract/gallery-staff.ts'
import { AppError } from '#server/kernel/errors.ts'
import { dropUnneeded } from './forget-images.ts'
import { findImage, updateImage } from './image-store.ts'
import { type AsStaff, mayTouch } from './rules.ts'
import { lockHomepage } from './store.ts'

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
