import { useState } from 'react'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import type { Homepage } from '#contract/gallery.ts'
import { useHomepage } from './use-homepage.ts'

const SEEN = 'promotionSeen'

type PromoDialogProps = { homepage: Homepage; isOpen: boolean; onClose: () => void }

/** The promotional modal as staff have set it: heading, description, image. */
export function PromoDialog({ homepage, isOpen, onClose }: PromoDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={homepage.modal_heading}>
      {homepage.modal_image && (
        // Small on phones: the notice is not what the page is about.
        <div className="mb-4 overflow-hidden rounded-field bg-sunken">
          <img
            src={homepage.modal_image}
            alt=""
            width={960}
            height={540}
            className="mx-auto aspect-video h-32 w-auto object-cover sm:h-auto sm:w-full"
          />
        </div>
      )}
      <p className="whitespace-pre-line">{homepage.modal_description}</p>
    </Dialog>
  )
}

/** Shows the promotion on the home page, once in a browser session, when staff have enabled it. */
export function PromoModal() {
  const { homepage } = useHomepage()
  const [wasSeen, setWasSeen] = useState(() => readStored(SEEN, 'session') !== null)
  const close = () => {
    writeStored(SEEN, '1', 'session')
    setWasSeen(true)
  }
  return (
    <PromoDialog homepage={homepage} isOpen={homepage.show_modal && !wasSeen} onClose={close} />
  )
}
