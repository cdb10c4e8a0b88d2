import * as z from 'zod/mini'

/** Root-relative address of a stored picture, named by the hash of its content. */
export const MediaUrl = z.string().check(z.regex(/^\/media\/[0-9a-f]{32}\.webp$/))

/** One of the sizes a picture is kept in, so that a phone need not fetch the largest. */
export const ImageSize = z.object({ image_url: MediaUrl, width: z.int(), height: z.int() })
export type ImageSize = z.infer<typeof ImageSize>

/** The homepage image record, identified by one fixed id, as anybody sees it. */
export const Homepage = z.object({
  image_url: z.nullable(MediaUrl),
  /** `#rrggbb`; white by default. */
  color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  modal_image: z.nullable(MediaUrl),
  show_modal: z.boolean(),
  modal_heading: z.string(),
  modal_description: z.string(),
  /** What the picture shows, in words; empty where it only decorates. */
  image_alt: z.string(),
  /** The picture's sizes, smallest first; empty for one that is kept in one size only. */
  image_sizes: z.array(ImageSize),
  modal_sizes: z.array(ImageSize),
})
export type Homepage = z.infer<typeof Homepage>

/** The one homepage record; the specification hard-codes its id. REST answers 404 for any other. */
export const HOMEPAGE_ID = '1'
