import { CircleCheck, PencilLine, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useOpened } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatLocalDate } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { SitePicture } from '#app/parts/homepage-content.tsx'
import { RoleReason, useStaffRefusal, useStaffRole } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { FailureNotice, FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { EmptyState, Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { numberFormat } from '#contract/base/intl.ts'
import {
  ALT_MAX,
  AUTHOR_IMAGES_PER_DAY,
  DescribeImageInput,
  GALLERY_PATH,
  GALLERY_QUOTA,
  type Gallery,
  type GalleryImage,
  type HomepageState,
  type ImageResponse,
  MAX_VERSIONS,
} from '#contract/gallery.ts'
import { ImageField, useUpload } from './image-upload.tsx'
import { ListResult, useInvalidateGallery, usePublish } from './publish-homepage.tsx'

type ImageCardProps = {
  image: GalleryImage
  /** True for the image on the homepage. */
  isShown: boolean
  isBusy: boolean
  /** True if this user may not publish; `reasonId` refers to the reason. */
  isBarred: boolean
  reasonId: string
  onShow: () => void
  onDescribe: () => void
  onRemove: () => void
}

/** Name of an image where it is not visible. */
function nameOf(image: Pick<GalleryImage, 'alt' | 'uploadedAt'>): string {
  return image.alt === '' ? `image of ${formatLocalDate(image.uploadedAt)}` : image.alt
}

/** One image of the gallery with its actions. */
function ImageCard(props: ImageCardProps) {
  const { image, isShown, isBusy, isBarred, reasonId, onShow, onDescribe, onRemove } = props
  const role = useStaffRole()
  // Authors may edit only their own images; the server enforces it as well.
  const isTheirs = role !== 'author' || image.isMine
  const name = nameOf(image)
  return (
    <li className="flex flex-col overflow-hidden rounded-card border border-line bg-surface">
      <div className="relative aspect-8/5 bg-sunken">
        <SitePicture
          url={image.image_url}
          files={image.sizes}
          sizes="(min-width: 40rem) 18rem, 100vw"
          alt={image.alt}
          width={image.width}
          height={image.height}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      </div>
      <div className="flex flex-1 flex-col gap-3 p-3">
        <div className="flex flex-1 items-start gap-1">
          <div className="min-w-0 flex-1">
            <p className={image.alt === '' ? 'text-muted' : 'font-medium'}>
              {image.alt === '' ? 'Not described yet' : image.alt}
            </p>
            <p className="tabular mt-0.5 text-sm text-muted">
              {image.width} × {image.height}, {formatLocalDate(image.uploadedAt)}
              {image.by !== null && `, ${image.by}`}
            </p>
          </div>
          {isTheirs && (
            <div className="-mt-2 -mr-2 flex shrink-0">
              <IconButton label={`Describe ${name}`} onClick={onDescribe}>
                <PencilLine aria-hidden="true" className="size-5" />
              </IconButton>
              {!isShown && (
                <IconButton label={`Remove ${name}`} onClick={onRemove} className="-ml-1">
                  <Trash2 aria-hidden="true" className="size-5" />
                </IconButton>
              )}
            </div>
          )}
        </div>
        {isShown ? (
          <p className="flex min-h-11 items-center justify-center gap-2 font-semibold text-ok">
            <CircleCheck aria-hidden="true" className="size-5 shrink-0" />
            On the homepage
          </p>
        ) : (
          <Button
            variant="secondary"
            isBusy={isBusy}
            disabled={isBarred}
            aria-describedby={isBarred ? reasonId : undefined}
            onClick={onShow}
          >
            Set as Homepage<span className="sr-only">: {name}</span>
          </Button>
        )}
      </div>
    </li>
  )
}

type DescribeDialogProps = { image: GalleryImage; onClose: () => void }

/** Asks for an image's alternative text. */
function DescribeDialog({ image, onClose }: DescribeDialogProps) {
  const { client } = trpc.useUtils()
  const invalidate = useInvalidateGallery()
  const form = useForm({
    blank: { alt: image.alt },
    schema: DescribeImageInput,
    toInput: ({ alt }) => ({ id: image.id, alt }),
    send: (input) => client.gallery.describe.mutate(input),
    onSent: async () => {
      await invalidate()
      void showToast('The description is saved.')
      onClose()
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title="Describe the image">
      <FormFrame form={form} label="Describe the image" failureTitle="The description wasn’t saved">
        <img
          src={image.sizes[0]?.image_url ?? image.image_url}
          alt=""
          className="aspect-8/5 w-full rounded-field object-cover"
        />
        <TextInput
          {...form.text('alt')}
          label="What it shows"
          hint="Screen readers read this aloud. Leave it empty if the image is only decoration."
          counter={`${form.values.alt.length} of ${ALT_MAX} characters`}
          autoComplete="off"
        />
        <FormButtons send="Save description" isBusy={form.isBusy} onCancel={onClose} />
      </FormFrame>
    </Dialog>
  )
}

type RemoveDialogProps = { image: GalleryImage; onClose: () => void }

/** Confirms the removal of an image from the gallery. */
function RemoveDialog({ image, onClose }: RemoveDialogProps) {
  const invalidate = useInvalidateGallery()
  const removing = trpc.gallery.remove.useMutation({
    onSuccess: async () => {
      await invalidate()
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
          <Notice kind="danger" role="alert" title="The image wasn’t removed">
            <p>{describeFailure(removing.error).sentence}</p>
          </Notice>
        )}
        <img
          src={image.sizes[0]?.image_url ?? image.image_url}
          alt={nameOf(image)}
          className="aspect-8/5 w-full rounded-field object-cover"
        />
        <p>
          It disappears from the gallery. If it’s in one of the last {MAX_VERSIONS} versions of the
          homepage, it comes back when you go back to that version.
        </p>
      </div>
    </Dialog>
  )
}

type ImagesPartProps = { gallery: Gallery; current: HomepageState; reasonId: string }

type Open = { what: 'describe' | 'remove'; image: GalleryImage }

/** The gallery's images, one of which is shown on the homepage. */
export function ImagesPart({ gallery: { images }, current, reasonId }: ImagesPartProps) {
  const isBarred = useStaffRefusal('publish') !== null
  const [open, setOpen, close] = useOpened<Open>()
  const [requested, setRequested] = useState<string | null>(null)
  const { publish, isBusy, published, failure } = usePublish(current)
  if (images.length === 0) {
    return (
      <EmptyState title="No images found." level={3}>
        <p>Add one, and choose it for the homepage.</p>
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <ListResult published={published} failure={failure} />
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-4">
        {images.map((image) => (
          <ImageCard
            key={image.id}
            image={image}
            isShown={image.image_url === current.image_url}
            isBusy={isBusy && requested === image.id}
            isBarred={isBarred}
            reasonId={reasonId}
            onShow={() => {
              setRequested(image.id)
              publish('Homepage image updated!', (client, version) =>
                client.gallery.publishImage.mutate({ image_url: image.image_url, version }),
              )
            }}
            onDescribe={() => setOpen({ what: 'describe', image })}
            onRemove={() => setOpen({ what: 'remove', image })}
          />
        ))}
      </ul>
      {open?.what === 'describe' && <DescribeDialog image={open.image} onClose={close} />}
      {open?.what === 'remove' && <RemoveDialog image={open.image} onClose={close} />}
    </div>
  )
}

/** Adds an image to the gallery. */
export function UploadPart({ mine }: Pick<Gallery, 'mine'>) {
  const id = useId()
  const invalidate = useInvalidateGallery()
  const isBarred = useStaffRefusal('upload') !== null
  const upload = useUpload(GALLERY_PATH)
  const [added, setAdded] = useState<ImageResponse | null>(null)
  const [isMissing, setIsMissing] = useState(false)
  const send = async () => {
    setIsMissing(upload.picked === null)
    setAdded(null)
    const answer = await upload.send()
    if (answer === null) return
    setAdded(answer)
    await invalidate()
  }
  return (
    <form
      noValidate
      aria-label="Upload an image"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <ImageField
        id={id}
        label="Add an image"
        picked={upload.picked}
        progress={upload.progress}
        input={upload.input}
        isDisabled={isBarred}
        reasonId={`${id}-reason`}
        onClear={upload.clear}
        onPick={(file) => {
          setAdded(null)
          setIsMissing(false)
          upload.pick(file)
        }}
      />
      <RoleReason act="upload" id={`${id}-reason`} />
      {isMissing && (
        <p role="alert" className="text-sm font-medium text-danger">
          Choose an image first.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" disabled={isBarred} isBusy={upload.progress !== null}>
          Upload Image
        </Button>
        <Used {...mine} />
      </div>
      {upload.failure && <FailureNotice title="The image wasn’t added" failure={upload.failure} />}
      {added && (
        <Notice key={added.id} kind="ok" role="alert">
          <p className="wrap-anywhere">{`Image uploaded successfully: ${added.image_url}`}</p>
        </Notice>
      )}
    </form>
  )
}

function Used({ files, bytes }: Gallery['mine']) {
  const isAuthor = useStaffRole() === 'author'
  const mb = (count: number) =>
    numberFormat('en-GB', { maximumFractionDigits: 1 }).format(count / 1_000_000)
  return (
    <p className="tabular text-sm text-muted">
      Yours: {files} of {GALLERY_QUOTA.files} images, {mb(bytes)} of {mb(GALLERY_QUOTA.bytes)} MB
      {isAuthor && `; up to ${AUTHOR_IMAGES_PER_DAY} a day`}
    </p>
  )
}
