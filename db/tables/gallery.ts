import type { Generated } from 'kysely'
import type { Flag, Instant } from '#db/columns.ts'

/** What staff decide about the homepage. */
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
  /** Counts the changes. */
  version: Generated<number>
}

/** How the homepage was, so that it can be so again. */
export interface HomepageVersionRow extends HomepageContent {
  version: number
  at: Instant
  /** Account that made it so; null for what was there before the first change. */
  actor_id: string | null
  act: 'start' | 'image' | 'color' | 'modal' | 'restored'
  /** The version that was gone back to. */
  restored: number | null
}

/** An image staff have added; its files are beside. */
export interface GalleryImageRow {
  no: Generated<number>
  id: string
  /** Images of the modal are not offered in the gallery. */
  purpose: 'gallery' | 'modal'
  /** The largest of its files; the same bytes are the same image. */
  image_url: string
  alt: string
  width: number
  height: number
  /** Of all its files. */
  bytes: number
  /** Account; null for what the program drew. */
  uploaded_by: string | null
  created_at: Instant
  /** Taken out of the gallery; the row and its files stay while a version of the homepage needs them. */
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
