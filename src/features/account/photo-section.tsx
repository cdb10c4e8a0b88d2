import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleUser, ImageUp } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useFocusWhenLost } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { RestRefusal, typeProblem, withRealType } from '#app/lib/files.ts'
import { signedInFetch } from '#app/lib/session.ts'
import { useInvalidateMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, buttonClass } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Me } from '#contract/auth.ts'
import { PICTURE_TYPES } from '#contract/base/file-types.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { PHOTO_MAX_BYTES, PHOTO_PATH, PhotoResponse } from '#contract/profiles.ts'
import { AccountSection, ErrorNotice } from './account-section.tsx'
import { cropImage, FULL_CROP } from './photo-crop.ts'
import { PhotoCropper } from './photo-cropper.tsx'

const YOUR_PHOTO = 'Your photo'

type Picked = { file: File; url: string; objection: string | null }

/** A picked file with an object URL for its preview, revoked when no longer needed. */
function usePickedPhoto() {
  const [picked, setPicked] = useState<Picked | null>(null)
  useEffect(
    () => () => {
      if (picked !== null) URL.revokeObjectURL(picked.url)
    },
    [picked],
  )
  const latest = useRef<File | undefined>(undefined)
  const pick = async (given: File | undefined): Promise<void> => {
    latest.current = given
    if (given === undefined) {
      setPicked(null)
      return
    }
    const file = await withRealType(given)
    // Another one may have been picked meanwhile, or none.
    if (latest.current !== given) return
    setPicked({ file, url: URL.createObjectURL(file), objection: photoProblem(file) })
  }
  return { picked, pick }
}

function Picture({ src }: { src: string | null }) {
  const shape = 'size-24 shrink-0 rounded-full bg-tint object-cover'
  if (src !== null) {
    return <img src={src} alt={YOUR_PHOTO} width={96} height={96} className={shape} />
  }
  return (
    <span className={`${shape} flex items-center justify-center text-brand-deep`}>
      <CircleUser aria-hidden="true" className="stroke-[1.5] size-14" />
    </span>
  )
}

/** The photo of the account: seen in the menu, and for providers on the profile. */
export function PhotoSection({ me }: { me: Me }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const utils = trpc.useUtils()
  const invalidateMe = useInvalidateMe()
  // A provider's profile and its preview show the photo too.
  const invalidate = () =>
    Promise.all([
      invalidateMe(),
      utils.profiles.own.invalidate(),
      utils.search.preview.invalidate(),
    ])
  const { picked, pick } = usePickedPhoto()
  useFocusWhenLost(input, `${picked !== null} ${me.profile_image}`)
  const [crop, setCrop] = useState(FULL_CROP)
  const picture = useRef<HTMLImageElement>(null)
  const clear = () => {
    void pick(undefined)
    if (input.current) input.current.value = ''
  }
  const upload = useMutation({
    // A file the browser cannot decode is sent as it is: the server says what is wrong with it.
    mutationFn: async (file: File) => {
      const isRead = (picture.current?.naturalWidth ?? 0) > 0
      const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png'
      const part = isRead && picture.current ? await cropImage(picture.current, crop, type) : null
      return uploadPhoto(part ?? file)
    },
    onSuccess: async () => {
      await invalidate()
      clear()
      void showToast('Your photo is saved.')
    },
  })
  const remove = trpc.profiles.removePhoto.useMutation({
    onSuccess: async () => {
      await invalidate()
      void showToast('Your photo is removed.')
    },
  })
  const label = me.profile_image === null ? 'Add a photo' : 'Change the photo'
  const objection = picked?.objection ?? null
  const preview = objection === null ? (picked?.url ?? null) : null
  return (
    <AccountSection
      id="photo"
      title="Photo"
      lead={
        me.kind === 'provider'
          ? 'Patients see it on your profile.'
          : 'Only you see it, in the menu.'
      }
    >
      <div className="flex flex-col gap-5">
        {preview !== null && (
          <PhotoCropper url={preview} crop={crop} onCrop={setCrop} picture={picture} />
        )}
        <div className="flex flex-wrap items-start gap-4 sm:gap-6">
          {preview === null && <Picture src={me.profile_image} />}
          <div className="flex min-w-0 flex-1 basis-48 flex-col gap-2">
            <div className="flex flex-wrap gap-3">
              {preview !== null && picked !== null && (
                <>
                  <Button isBusy={upload.isPending} onClick={() => upload.mutate(picked.file)}>
                    {upload.isPending ? 'Uploading' : 'Save photo'}
                  </Button>
                  <Button variant="quiet" onClick={clear}>
                    Discard
                  </Button>
                </>
              )}
              {/* The browser's own file button, which cannot be styled to match, is behind the label. */}
              <input
                ref={input}
                id={id}
                type="file"
                accept={PICTURE_TYPES.join(',')}
                aria-invalid={objection ? true : undefined}
                aria-describedby={objection ? `${id}-error ${id}-hint` : `${id}-hint`}
                onChange={({ target }) => {
                  upload.reset()
                  setCrop(FULL_CROP)
                  void pick(target.files?.[0])
                }}
                className="peer sr-only"
              />
              <label
                htmlFor={id}
                className={cx(
                  buttonClass('secondary'),
                  'whitespace-nowrap',
                  'peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-brand',
                )}
              >
                <ImageUp aria-hidden="true" className="size-5" />
                {preview === null ? label : 'Choose another'}
              </label>
              {picked === null && me.profile_image !== null && (
                <Button variant="quiet" isBusy={remove.isPending} onClick={() => remove.mutate()}>
                  Remove photo
                </Button>
              )}
            </div>
            {objection && (
              <p
                id={`${id}-error`}
                role="alert"
                className="flex items-start gap-1.5 text-sm font-medium text-danger"
              >
                <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
                {objection}
              </p>
            )}
            <p id={`${id}-hint`} className="text-sm text-muted">
              JPEG, PNG, WebP or AVIF, 5 MB or smaller. We remove location and date.
            </p>
          </div>
        </div>
        <ErrorNotice error={upload.error} title="The photo wasn’t saved" />
        <ErrorNotice error={remove.error} title="The photo wasn’t removed" />
      </div>
    </AccountSection>
  )
}

/** Client-side validation message for a file; null if it can be sent. */
export function photoProblem(file: Pick<File, 'type' | 'size'>): string | null {
  const wrong = typeProblem(file.type, { accept: PICTURE_TYPES, wrongType: 'image_type' })
  if (wrong !== null) return wrong
  return file.size > PHOTO_MAX_BYTES ? errorMessage('image_too_large') : null
}

/** Uploads an image, from which the server generates its own. Returns the URL. */
async function uploadPhoto(file: Blob): Promise<string> {
  const response = await signedInFetch(PHOTO_PATH, {
    method: 'POST',
    headers: { 'content-type': file.type },
    body: file,
  })
  const answer: unknown = await response.json()
  if (response.ok) return PhotoResponse.parse(answer).profile_image
  throw new RestRefusal(answer)
}
