import type { Done } from '#contract/auth.ts'
import type { DescribeImageInput } from '#contract/gallery-staff.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findImage, updateImage } from './image-store.ts'
import { type AsStaff, mayTouch } from './rules.ts'
import { lockHomepage } from './store.ts'

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
