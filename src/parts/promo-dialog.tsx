import { Dialog } from '#app/ui/dialog.tsx'
import type { Homepage } from '#contract/gallery.ts'
import { SitePicture } from './site-picture.tsx'

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
