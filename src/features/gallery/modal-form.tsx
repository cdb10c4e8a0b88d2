import { Eye } from 'lucide-react'
import { useRef, useState } from 'react'
import { useForm } from '#app/lib/forms/use-form.ts'
import { PromoDialog, SitePicture } from '#app/parts/homepage-content.tsx'
import { useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { TextArea, TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { numberFormat } from '#contract/base/intl.ts'
import {
  DESCRIPTION_MAX,
  HEADING_MAX,
  type HomepageState,
  MODAL_IMAGE_PATH,
  PublishModalInput,
} from '#contract/gallery.ts'
import { ImageField, useUpload } from './image-upload.tsx'
import {
  type Published,
  PublishResult,
  publishedOver,
  useBaseVersion,
  useInvalidateGallery,
} from './publish-homepage.tsx'

type ModalFormProps = { current: HomepageState; reasonId: string }

type Values = {
  modal_heading: string
  modal_description: string
  show_modal: boolean
  keepsImage: boolean
}

function valuesOf(current: HomepageState): Values {
  const { modal_heading, modal_description, show_modal } = current
  return { modal_heading, modal_description, show_modal, keepsImage: true }
}

function isSame(typed: Values, saved: Values): boolean {
  return JSON.stringify(typed) === JSON.stringify(saved)
}

/** Form for the homepage's notice: its text, its image, and whether it is shown. */
export function ModalForm({ current, reasonId }: ModalFormProps) {
  const { client } = trpc.useUtils()
  const invalidate = useInvalidateGallery()
  const isBarred = useStaffRefusal('publish') !== null
  const upload = useUpload(MODAL_IMAGE_PATH)
  const [published, setPublished] = useState<Published | null>(null)
  /** True if the upload failed, which is shown next to the image; the text was not sent. */
  const [isStopped, setIsStopped] = useState(false)
  /** An image that was uploaded before the text was rejected. */
  const [sentImage, setSentImage] = useState<string | null>(null)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const [base, setBase] = useState(current)
  const form = useForm({
    blank: valuesOf(current),
    schema: PublishModalInput,
    toInput: ({ keepsImage, ...words }) => ({
      ...words,
      version: base.version,
      ...(keepsImage ? {} : { modal_image: null }),
    }),
    send: async (input) => {
      setPublished(null)
      setIsStopped(false)
      const image = upload.picked === null ? sentImage : ((await upload.send())?.image_url ?? null)
      if (upload.picked !== null && image === null) {
        setIsStopped(true)
        upload.input.current?.focus()
        throw new Error('The image was not taken, or cancelled.')
      }
      setSentImage(image)
      try {
        const withImage = image === null ? input : { ...input, modal_image: image }
        return await client.gallery.publishModal.mutate(withImage)
      } finally {
        // Also after an error: it may be due to somebody else's change, which must be shown.
        await invalidate()
      }
    },
    onSent: (now) => {
      setPublished(publishedOver(current, now, 'Modal settings updated!'))
      form.reset(valuesOf(now))
      setBase(now)
      setSentImage(null)
    },
  })
  const isConflict = form.failure?.code === 'homepage_changed'
  useBaseVersion(current, [base, setBase], {
    isClean: upload.picked === null && isSame(form.values, valuesOf(base)),
    told: isConflict ? form.attempts : 0,
    adopt: (now) => form.reset(valuesOf(now)),
  })
  const imageButton = useRef<HTMLButtonElement>(null)
  const keepImage = (isKept: boolean) => {
    setSentImage(null)
    form.set('keepsImage', isKept)
    // The pressed button gives way to its opposite, or to none for an image that was not saved.
    requestAnimationFrame(() => (imageButton.current ?? upload.input.current)?.focus())
  }
  const count = (typed: string, maxLength: number) =>
    `${numberFormat('en-GB').format(typed.length)} of ${numberFormat('en-GB').format(maxLength)} characters`
  const disabledProps = { disabled: isBarred, ...(isBarred && { 'aria-describedby': reasonId }) }
  const { modal_heading, modal_description, show_modal, keepsImage } = form.values
  const shown = sentImage ?? (keepsImage ? current.modal_image : null)
  return (
    <FormFrame
      form={isStopped ? { ...form, failure: null } : form}
      label="Modal Settings"
      failureTitle="The settings weren’t saved"
      className="max-w-none! gap-5!"
    >
      <TextInput
        {...form.text('modal_heading')}
        label="Modal Heading"
        required
        disabled={isBarred}
        autoComplete="off"
        counter={count(modal_heading, HEADING_MAX)}
      />
      <TextArea
        {...form.text('modal_description')}
        label="Modal Description"
        required
        disabled={isBarred}
        counter={count(modal_description, DESCRIPTION_MAX)}
      />
      {shown !== null && upload.picked === null && (
        <div className="flex items-center gap-3">
          <SitePicture
            url={shown}
            files={sentImage === null ? current.modal_sizes : []}
            sizes="8rem"
            alt="The current modal image"
            className="aspect-video w-32 rounded-field object-cover"
          />
          <Button
            ref={imageButton}
            variant="quiet"
            {...disabledProps}
            onClick={() => keepImage(false)}
          >
            Remove the image
          </Button>
        </div>
      )}
      {!keepsImage && current.modal_image !== null && upload.picked === null && (
        <p className="flex flex-wrap items-center gap-x-3 text-muted">
          The image will be removed when you save.
          <Button ref={imageButton} variant="quiet" onClick={() => keepImage(true)}>
            Keep it
          </Button>
        </p>
      )}
      <ImageField
        id={`${form.id}-modal_image`}
        label="Modal Image"
        picked={upload.picked}
        progress={upload.progress}
        input={upload.input}
        isDisabled={isBarred}
        reasonId={reasonId}
        onPick={upload.pick}
        onClear={upload.clear}
      />
      {upload.failure && (
        <Notice kind="danger" role="alert" title="The image wasn’t added">
          <p>{upload.failure.sentence}</p>
        </Notice>
      )}
      <Checkbox
        label="Enable Modal"
        checked={show_modal}
        onChange={({ target }) => form.set('show_modal', target.checked)}
        {...disabledProps}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={form.isBusy} {...disabledProps}>
          Save Settings
        </Button>
        <Button variant="secondary" onClick={() => setIsPreviewed(true)}>
          <Eye aria-hidden="true" className="size-5" />
          Preview
        </Button>
        {isConflict && (
          <Button
            variant="quiet"
            onClick={() => {
              form.reset(valuesOf(current))
              setBase(current)
              setSentImage(null)
              // The pressed button goes away.
              document.getElementById(`${form.id}-modal_heading`)?.focus()
            }}
          >
            Show the current settings
          </Button>
        )}
      </div>
      <PublishResult published={published} />
      <PromoDialog
        homepage={{
          modal_heading: modal_heading || 'Modal Heading',
          modal_description: modal_description || 'Modal Description',
          modal_image: upload.picked?.address ?? shown,
          modal_sizes: upload.picked === null && sentImage === null ? current.modal_sizes : [],
        }}
        isOpen={isPreviewed}
        onClose={() => setIsPreviewed(false)}
      />
    </FormFrame>
  )
}
