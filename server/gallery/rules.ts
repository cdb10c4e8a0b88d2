import { GALLERY_QUOTA } from '#contract/gallery.ts'
import { shownName } from '#contract/people.ts'
import type { AsStaff } from '#server/context.ts'

/** The homepage fields that staff edit and a version keeps. */
export const CONTENT = [
  'image_url',
  'color',
  'modal_image',
  'show_modal',
  'modal_heading',
  'modal_description',
] as const

type Content = Record<(typeof CONTENT)[number], string | number | null>

/** Whether two records agree in the fields named. */
export function areEqual(
  a: Content,
  b: Partial<Content>,
  fields: readonly (typeof CONTENT)[number][],
): boolean {
  return fields.every((field) => a[field] === b[field])
}

/** Whether an account that keeps `mine` has no room for an image of `bytes`. */
export function isFull(mine: { files: number; bytes: number }, bytes: number): boolean {
  return mine.files >= GALLERY_QUOTA.files || mine.bytes + bytes > GALLERY_QUOTA.bytes
}

type Person = { first_name: string | null; last_name: string | null; email: string | null }

/** A colleague as shown to others: by name, else by a masked email address. */
export function colleagueName({ email, ...person }: Person): string | null {
  const name = shownName(person)
  if (name !== '') return name
  if (email === null) return null
  return email.slice(0, 2) + 'x'.repeat(Math.max(0, email.length - 2))
}

/** Whether staff may change or remove an image: authors only their own. */
export function mayEdit(
  viewer: AsStaff['viewer'],
  { uploaded_by }: { uploaded_by: string | null },
): boolean {
  return viewer.role !== 'author' || uploaded_by === viewer.id
}
