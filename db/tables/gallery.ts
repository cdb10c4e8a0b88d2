import type { Flag, Instant } from '#db/columns.ts'

/** The one homepage record (`HOMEPAGE_ID`). */
export interface HomepageRow {
  id: string
  image_url: string | null
  color: string
  modal_image: string | null
  show_modal: Flag
  modal_heading: string
  modal_description: string
  updated_at: Instant
}

export interface GalleryTables {
  homepage: HomepageRow
}
