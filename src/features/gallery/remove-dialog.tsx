import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type GalleryImage, VERSIONS_KEPT } from '#contract/gallery-staff.ts'
import { nameOf } from './image-card.tsx'
import { useGalleryChanged } from './use-gallery.ts'

type RemoveDialogProps = { image: GalleryImage; onClose: () => void }

/** Asks before an image is taken out of the gallery. */
export function RemoveDialog({ image, onClose }: RemoveDialogProps) {
  const changed = useGalleryChanged()
  const removing = trpc.gallery.remove.useMutation({
    onSuccess: async () => {
      await changed()
      void showToast('The image is removed.')
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Remove this image?"
      footer={
        <>
          <Button
            variant="danger"
            isBusy={removing.isPending}
            onClick={() => removing.mutate({ id: image.id })}
          >
            Remove image
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {removing.error && (
          <Notice kind="danger" role="alert" title="The image was not removed">
            <p>{describeFailure(removing.error).sentence}</p>
          </Notice>
        )}
        <img
          src={image.sizes[0]?.image_url ?? image.image_url}
          alt={nameOf(image)}
          className="aspect-8/5 w-full rounded-field object-cover"
        />
        <p>
          It goes from the gallery. If one of the last {VERSIONS_KEPT} versions of the homepage
          shows it, it comes back when you go back to that version.
        </p>
      </div>
    </Dialog>
  )
}
