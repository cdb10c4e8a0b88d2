import { HOMEPAGE_ID, type Homepage } from '#contract/gallery.ts'
import type { Db } from '#db/engine.ts'

/** What the homepage shows until staff choose something. */
const defaults: Homepage = {
  image_url: null,
  color: '#ffffff',
  modal_image: null,
  show_modal: false,
  modal_heading: '',
  modal_description: '',
}

/** The one homepage record, or the defaults while there is none. */
export async function getHomepage(db: Db): Promise<Homepage> {
  const row = await db
    .selectFrom('homepage')
    .selectAll()
    .where('id', '=', HOMEPAGE_ID)
    .executeTakeFirst()
  if (row === undefined) return defaults
  return {
    image_url: row.image_url,
    color: row.color,
    modal_image: row.modal_image,
    show_modal: row.show_modal === 1,
    modal_heading: row.modal_heading,
    modal_description: row.modal_description,
  }
}
