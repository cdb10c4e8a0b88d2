import { textFields, useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { ALT_MAX, DescribeImageInput, type GalleryImage } from '#contract/gallery-staff.ts'
import { useGalleryChanged } from './use-gallery.ts'

type DescribeDialogProps = { image: GalleryImage; onClose: () => void }

/** Asks what an image shows, for people who cannot see it. */
export function DescribeDialog({ image, onClose }: DescribeDialogProps) {
  const { client } = trpc.useUtils()
  const changed = useGalleryChanged()
  const form = useForm({
    blank: { alt: image.alt },
    schema: DescribeImageInput,
    toInput: ({ alt }) => ({ id: image.id, alt }),
    send: (input) => client.gallery.describe.mutate(input),
    onSent: async () => {
      await changed()
      void showToast('The description is saved.')
      onClose()
    },
  })
  const text = textFields(form, 'describe')
  return (
    <Dialog isOpen onClose={onClose} title="Describe the image">
      <FormFrame
        form={form}
        id="describe"
        label="Describe the image"
        failureTitle="The description was not saved"
      >
        <img
          src={image.sizes[0]?.image_url ?? image.image_url}
          alt=""
          className="aspect-8/5 w-full rounded-field object-cover"
        />
        <TextInput
          {...text('alt')}
          label="What it shows"
          hint="Read to people who cannot see it. Leave it empty when the image only decorates."
          counter={`${form.values.alt.length} of ${ALT_MAX} characters`}
          autoComplete="off"
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isBusy={form.isBusy}>
            Save description
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </FormFrame>
    </Dialog>
  )
}
