import type { Gallery } from '#contract/gallery-staff.ts'
import { toIso } from '#contract/time.ts'
import { countOf, listGallery } from './image-store.ts'
import { type AsStaff, colleague } from './rules.ts'
import { readSizes } from './show-homepage.ts'

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
