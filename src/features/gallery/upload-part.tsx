import { useId, useState } from 'react'
import { RoleReason, useStaffRefusal, useStaffRole } from '#app/parts/role-guard.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import {
  AUTHOR_IMAGES_PER_DAY,
  GALLERY_PATH,
  GALLERY_QUOTA,
  type Gallery,
  type ImageResponse,
} from '#contract/gallery-staff.ts'
import { numberFormat } from '#contract/intl.ts'
import { ImageField } from './image-field.tsx'
import { useInvalidateGallery } from './use-gallery.ts'
import { useUpload } from './use-upload.ts'

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
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" disabled={isBarred} isBusy={upload.progress !== null}>
          Upload Image
        </Button>
        <Used {...mine} />
      </div>
      {isMissing && (
        <p role="alert" className="text-sm font-medium text-danger">
          Choose an image first.
        </p>
      )}
      {upload.failure && (
        <Notice kind="danger" role="alert" title="The image was not added">
          <p>{upload.failure.sentence}</p>
          {upload.failure.reference && (
            <p className="text-sm text-muted">Reference: {upload.failure.reference}</p>
          )}
        </Notice>
      )}
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
