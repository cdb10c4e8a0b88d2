import type { ComponentProps } from 'react'
import type { ImageSize } from '#contract/gallery.ts'

type SitePictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'sizes' | 'alt'> & {
  /** Its largest size. */
  url: string
  /** The sizes it is kept in. */
  files: readonly ImageSize[]
  /** How wide it is drawn, as the `sizes` of an img say it. */
  drawn: string
  /** What it shows, in words; empty where it only decorates. */
  alt: string
}

/** A picture of the site: the browser fetches the smallest size that is sharp where it is drawn. */
export function SitePicture({ url, files, drawn, alt, ...img }: SitePictureProps) {
  const set = files.map((file) => `${file.image_url} ${file.width}w`).join(', ')
  const choice = set === '' ? {} : { srcSet: set, sizes: drawn }
  // The sizes come before the address: a browser that has an address alone begins to fetch it.
  return <img {...img} {...choice} src={url} alt={alt} />
}
