import * as z from 'zod/mini'
import { ImageId } from './base/ids.ts'
import { requiredLine } from './base/required-line.ts'
import { IsoInstant } from './base/time.ts'

/** Root-relative address of a stored picture, named by the hash of its content. */
export const MediaUrl = z.string().check(z.regex(/^\/media\/[0-9a-f]{32}\.webp$/))

/** One of the sizes an image is stored in, so that a phone need not fetch the largest. */
export const ImageSize = z.object({ image_url: MediaUrl, width: z.int(), height: z.int() })
export type ImageSize = z.infer<typeof ImageSize>

/** The homepage image record, identified by one fixed id, as everybody sees it. */
export const Homepage = z.object({
  image_url: z.nullable(MediaUrl),
  /** `#rrggbb`; white by default. */
  color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  modal_image: z.nullable(MediaUrl),
  show_modal: z.boolean(),
  modal_heading: z.string(),
  modal_description: z.string(),
  /** Alternative text; empty where the image is decorative. */
  image_alt: z.string(),
  /** The image's sizes, smallest first; empty for one stored in a single size. */
  image_sizes: z.array(ImageSize),
  modal_sizes: z.array(ImageSize),
})
export type Homepage = z.infer<typeof Homepage>

/** The one homepage record; the specification hard-codes its id. REST answers 404 for any other. */
export const HOMEPAGE_ID = '1'

/** POST the image itself to one of these as the body, with its own content type. */
export const GALLERY_PATH = '/upload/gallery-image'
export const MODAL_IMAGE_PATH = '/upload/modal-image'
/** Bytes. */
export const IMAGE_MAX_BYTES = 5 * 1_024 * 1_024

/** Widths an image is stored in, besides its own: for phones, tablets and high-density screens. */
export const IMAGE_WIDTHS = [400, 800, 1_200, 1_600] as const

/** What one staff account may store; `bytes` counts all sizes of its images. */
export const GALLERY_QUOTA = { files: 50, bytes: 100 * 1_000_000 } as const

/** How many images an author may add in a day. */
export const AUTHOR_IMAGES_PER_DAY = 20

/** How many versions of the homepage can be restored. */
export const MAX_VERSIONS = 20

export const HEADING_MAX = 120
export const DESCRIPTION_MAX = 2_000
export const ALT_MAX = 200

export const GalleryImage = z.object({
  id: ImageId,
  /** The largest size. */
  image_url: MediaUrl,
  /** Alternative text; empty until somebody has written one. */
  alt: z.string(),
  width: z.int(),
  height: z.int(),
  /** Total of all its sizes. */
  bytes: z.int(),
  sizes: z.array(ImageSize),
  uploadedAt: IsoInstant,
  /** Who added it; null for built-in images and for staff who have left. */
  by: z.nullable(z.string()),
  isMine: z.boolean(),
})
export type GalleryImage = z.infer<typeof GalleryImage>

export const Gallery = z.object({
  /** Newest first. */
  images: z.array(GalleryImage),
  /** How much of `GALLERY_QUOTA` the caller's account has used. */
  mine: z.object({ files: z.int(), bytes: z.int() }),
})
export type Gallery = z.infer<typeof Gallery>

/** Response of both upload paths, status 201. Failures are `{status: false, error, code, request_id}`. */
export const ImageResponse = z.object({ status: z.literal(true), id: ImageId, image_url: MediaUrl })
export type ImageResponse = z.infer<typeof ImageResponse>

/** The homepage record with the number of its version. */
export const HomepageState = z.extend(Homepage, { version: z.int() })
export type HomepageState = z.infer<typeof HomepageState>

/** What created a version; `start` is the state before the first change. */
const HomepageAct = z.enum(['start', 'image', 'color', 'modal', 'restored'])
export type HomepageAct = z.infer<typeof HomepageAct>

export const HomepageVersion = z.object({
  version: z.int(),
  at: IsoInstant,
  /** Who made it; null for the initial state, and for staff who have left. */
  by: z.nullable(z.string()),
  act: HomepageAct,
  /** With `restored`: the version that was restored. */
  restored: z.nullable(z.int()),
  homepage: Homepage,
})
export type HomepageVersion = z.infer<typeof HomepageVersion>

export const HomepageVersions = z.object({
  current: HomepageState,
  /** Newest first, at most `MAX_VERSIONS`; empty until something is changed. */
  versions: z.array(HomepageVersion),
})
export type HomepageVersions = z.infer<typeof HomepageVersions>

/** Version numbers, up to the largest a database integer holds. */
const VersionNumber = z.int().check(z.minimum(0), z.maximum(2_147_483_647))

/**
 * The version that was on screen, so that somebody else's later change is not overwritten; when left out, as
 * in the documented calls, the last write wins.
 */
const shownVersion = { version: z.optional(VersionNumber) }

const GalleryImageUrl = z
  .string({ error: 'image_not_in_gallery' })
  .check(z.regex(/^\/media\/[0-9a-f]{32}\.webp$/, { error: 'image_not_in_gallery' }))

export const PublishImageInput = z.strictObject({ ...shownVersion, image_url: GalleryImageUrl })
export type PublishImageInput = z.infer<typeof PublishImageInput>

/** Named colours besides `#rrggbb`: the basic ones of CSS, and a few muted ones. */
export const NAMED_COLORS: ReadonlyMap<string, string> = new Map([
  ['white', '#ffffff'],
  ['ivory', '#fffff0'],
  ['beige', '#f5f5dc'],
  ['linen', '#faf0e6'],
  ['honeydew', '#f0fff0'],
  ['mintcream', '#f5fffa'],
  ['azure', '#f0ffff'],
  ['aliceblue', '#f0f8ff'],
  ['lavender', '#e6e6fa'],
  ['mistyrose', '#ffe4e1'],
  ['seashell', '#fff5ee'],
  ['silver', '#c0c0c0'],
  ['gray', '#808080'],
  ['black', '#000000'],
  ['red', '#ff0000'],
  ['maroon', '#800000'],
  ['orange', '#ffa500'],
  ['yellow', '#ffff00'],
  ['olive', '#808000'],
  ['lime', '#00ff00'],
  ['green', '#008000'],
  ['aqua', '#00ffff'],
  ['teal', '#008080'],
  ['blue', '#0000ff'],
  ['navy', '#000080'],
  ['fuchsia', '#ff00ff'],
  ['purple', '#800080'],
])

/** `#rrggbb` in either case, or one of `NAMED_COLORS`; stored as `#rrggbb`. */
export const CssColor = z.string({ error: 'color_invalid' }).check(
  z.trim(),
  z.toLowerCase(),
  z.overwrite((text: string) => NAMED_COLORS.get(text) ?? text),
  z.regex(/^#[0-9a-f]{6}$/, { error: 'color_invalid' }),
)

export const PublishColorInput = z.strictObject({ ...shownVersion, color: CssColor })
export type PublishColorInput = z.infer<typeof PublishColorInput>

const DESCRIPTION_MISSING = 'Enter a description.'

/** Several lines of plain text. */
const Description = z.string({ error: DESCRIPTION_MISSING }).check(
  z.trim(),
  z.minLength(1, { error: DESCRIPTION_MISSING, abort: true }),
  z.overwrite((text: string) => text.replaceAll(/\r\n?/g, '\n')),
  z.maxLength(DESCRIPTION_MAX, { error: 'Use 2,000 characters or fewer.' }),
  z.regex(/^(?:[^\p{Cc}\p{Cf}\p{Co}\p{DI}]|\n)*$/u, {
    error: 'Use only letters, numbers and punctuation.',
  }),
)

const ModalHeading = requiredLine('Enter a heading.', HEADING_MAX)

export const PublishModalInput = z.strictObject({
  ...shownVersion,
  modal_heading: ModalHeading,
  modal_description: Description,
  show_modal: z.boolean(),
  /** From `MODAL_IMAGE_PATH` or the gallery. Left out, it stays; null removes it. */
  modal_image: z.optional(z.nullable(GalleryImageUrl)),
})
export type PublishModalInput = z.infer<typeof PublishModalInput>

export const RestoreInput = z.strictObject({ ...shownVersion, to: VersionNumber })
export type RestoreInput = z.infer<typeof RestoreInput>

/** One line; invisible characters and those that change the writing direction are refused. */
const Alt = z.string().check(
  z.trim(),
  z.maxLength(ALT_MAX, { error: `Use ${ALT_MAX} characters or fewer.` }),
  z.regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{DI}\p{Zl}\p{Zp}]*$/u, {
    error: 'Use only letters, numbers and punctuation.',
  }),
)

export const DescribeImageInput = z.strictObject({ id: ImageId, alt: Alt })
export type DescribeImageInput = z.infer<typeof DescribeImageInput>

export const RemoveImageInput = z.strictObject({ id: ImageId })
export type RemoveImageInput = z.infer<typeof RemoveImageInput>
