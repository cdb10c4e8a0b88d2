import type { ComponentProps } from 'react'
import { Dialog } from '#app/ui/dialog.tsx'
import type { Homepage, ImageSize } from '#contract/gallery.ts'

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

type Promotion = Pick<
  Homepage,
  'modal_heading' | 'modal_description' | 'modal_image' | 'modal_sizes'
>

type PromoDialogProps = { homepage: Promotion; isOpen: boolean; onClose: () => void }

/** The promotional modal as staff have set it: heading, description, image. */
export function PromoDialog({ homepage, isOpen, onClose }: PromoDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={homepage.modal_heading}>
      {homepage.modal_image && (
        // Small on phones: the modal is not the page's main content.
        <div className="mb-4 overflow-hidden rounded-field bg-sunken">
          <SitePicture
            url={homepage.modal_image}
            files={homepage.modal_sizes}
            sizes="(min-width: 36rem) 33rem, 100vw"
            alt=""
            width={960}
            height={540}
            // Smaller than the headline on phones, or the picture becomes the largest contentful paint.
            className="mx-auto aspect-video h-32 w-auto object-cover sm:h-auto sm:w-full"
          />
        </div>
      )}
      <p className="whitespace-pre-line">{homepage.modal_description}</p>
    </Dialog>
  )
}
