import * as z from 'zod/mini'

/** Root-relative address of a stored picture, named by the hash of its content. */
export const MediaUrl = z.string().check(z.regex(/^\/media\/[0-9a-f]{32}\.webp$/))

/** The homepage image record, identified by one fixed id, as anybody sees it. */
export const Homepage = z.object({
  image_url: z.nullable(MediaUrl),
  /** `#rrggbb`; white by default. */
  color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  modal_image: z.nullable(MediaUrl),
  show_modal: z.boolean(),
  modal_heading: z.string(),
  modal_description: z.string(),
})
export type Homepage = z.infer<typeof Homepage>

/** The one homepage record; the specification hard-codes its id. */
export const HOMEPAGE_ID = '1'
