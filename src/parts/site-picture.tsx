import type { ComponentProps } from 'react'
import type { ImageSize } from '#contract/gallery.ts'

type SitePictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'sizes' | 'alt'> & {
  /** URL of the largest size. */
  url: string
  /** The sizes available. */
  files: readonly ImageSize[]
  /** Displayed width, as the `sizes` attribute of an img. */
  sizes: string
  /** Alt text; empty for decoration. */
  alt: string
}

/** A picture of the site: the browser fetches the smallest size that is sharp at its displayed width. */
export function SitePicture({ url, files, sizes, alt, ...img }: SitePictureProps) {
  const set = files.map((file) => `${file.image_url} ${file.width}w`).join(', ')
  const choice = set === '' ? {} : { srcSet: set, sizes }
  // `srcset` before `src`: given `src` alone, a browser starts to fetch it.
  return <img {...img} {...choice} src={url} alt={alt} />
}
