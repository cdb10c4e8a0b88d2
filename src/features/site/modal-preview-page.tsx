import { useState } from 'react'
import { PromoDialog } from '#app/parts/promo-dialog.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { InfoPage } from './info-page.tsx'
import { homepageOptions } from './use-homepage.ts'

/** Previews the promotional modal as the home page would show it. */
export function ModalPreviewPage() {
  const [homepage] = trpc.gallery.homepage.useSuspenseQuery(undefined, homepageOptions)
  const [isOpen, setOpen] = useState(homepage.modal_heading !== '')
  return (
    <InfoPage
      title="Promotional modal"
      lead="A preview of the notice that visitors of the home page see once in a session."
    >
      {homepage.modal_heading === '' ? (
        <Notice title="There is no notice yet">
          <p>Staff haven’t written its heading and description yet.</p>
        </Notice>
      ) : (
        <div className="flex flex-col items-start gap-6">
          <Notice kind={homepage.show_modal ? 'ok' : 'info'}>
            <p>
              {homepage.show_modal
                ? 'It is enabled: the home page shows it.'
                : 'It is not enabled: the home page does not show it.'}
            </p>
          </Notice>
          <Button variant="secondary" onClick={() => setOpen(true)}>
            Show the notice
          </Button>
        </div>
      )}
      <PromoDialog homepage={homepage} isOpen={isOpen} onClose={() => setOpen(false)} />
    </InfoPage>
  )
}
