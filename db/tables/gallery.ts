import type { Generated } from 'kysely'
import type { Flag, Instant } from '#db/columns.ts'

/** The homepage fields that staff edit. */
interface HomepageContent {
  image_url: string | null
  color: string
  modal_image: string | null
  show_modal: Flag
  modal_heading: string
  modal_description: string
}

/** The one homepage record (`HOMEPAGE_ID`). */
export interface HomepageRow extends HomepageContent {
  id: string
  updated_at: Instant
  /** Incremented with every change. */
  version: Generated<number>
}

/** A version of the homepage, kept so that it can be restored. */
export interface HomepageVersionRow extends HomepageContent {
  version: number
  at: Instant
  /** Account that made the change; null for the version before the first change. */
  actor_id: string | null
  act: 'start' | 'image' | 'color' | 'modal' | 'restored'
  /** The version it restored, if any. */
  restored: number | null
}

/** An image uploaded by staff; its files are in `gallery_files`. */
export interface GalleryImageRow {
  no: Generated<number>
  id: string
  /** Images of the modal are not offered in the gallery. */
  purpose: 'gallery' | 'modal'
  /** URL of the largest file; identical bytes are the same image. */
  image_url: string
  alt: string
  width: number
  height: number
  /** Total size of its files. */
  bytes: number
  /** Account; null for images drawn by the program. */
  uploaded_by: string | null
  created_at: Instant
  /**
   * When it was removed from the gallery; the row and its files stay while a version of the homepage needs
   * them.
   */
  removed_at: Instant | null
}

/** One size of an image, root-relative. */
export interface GalleryFileRow {
  image_no: number
  path: string
  width: number
  height: number
  bytes: number
}

export interface GalleryTables {
  homepage: HomepageRow
  homepage_versions: HomepageVersionRow
  gallery_images: GalleryImageRow
  gallery_files: GalleryFileRow
}
