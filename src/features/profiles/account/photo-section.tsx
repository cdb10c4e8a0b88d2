import { useMutation } from '@tanstack/react-query'
import { CircleUser } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useMeChanged } from '#app/parts/use-me.ts'
import { useApi } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Me } from '#contract/auth.ts'
import { PHOTO_TYPES } from '#contract/profiles.ts'
import { AccountSection } from './account-section.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { uploadPhoto, whyNotPhoto } from './upload-photo.ts'

type Picked = { file: File; url: string; objection: string | null }

/** A picked file with an address to preview it under, which is given back when it is done with. */
function usePicked() {
  const [picked, setPicked] = useState<Picked | null>(null)
  useEffect(
    () => () => {
      if (picked !== null) URL.revokeObjectURL(picked.url)
    },
    [picked],
  )
  const pick = (file: File | undefined) =>
    setPicked(
      file === undefined
        ? null
        : { file, url: URL.createObjectURL(file), objection: whyNotPhoto(file) },
    )
  return { picked, pick }
}

function Picture({ src, isPreview }: { src: string | null; isPreview: boolean }) {
  const shape = 'size-32 shrink-0 rounded-card bg-tint object-cover'
  if (src !== null) {
    return (
      <img
        src={src}
        alt={isPreview ? 'Preview of your new photo' : 'Your photo'}
        className={shape}
      />
    )
  }
  return (
    <span className={`${shape} flex items-center justify-center text-brand-deep`}>
      <CircleUser aria-hidden="true" strokeWidth={1.75} className="size-16" />
    </span>
  )
}

/** The photo of the account: seen in the menu, and for providers on the profile. */
export function PhotoSection({ me }: { me: Me }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const api = useApi()
  const meChanged = useMeChanged()
  const { picked, pick } = usePicked()
  const clear = () => {
    pick(undefined)
    if (input.current) input.current.value = ''
  }
  const upload = useMutation({
    mutationFn: uploadPhoto,
    onSuccess: async () => {
      await meChanged()
      clear()
      void showToast('Your photo is saved.')
    },
  })
  const remove = useMutation({
    mutationFn: () => api.profiles.removePhoto.mutate(),
    onSuccess: async () => {
      await meChanged()
      void showToast('Your photo is removed.')
    },
  })
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
      <div className="flex flex-wrap items-start gap-6">
        <Picture src={preview ?? me.profile_image} isPreview={preview !== null} />
        <div className="flex min-w-0 flex-1 flex-col gap-3">
          <label htmlFor={id} className="font-semibold">
            {me.profile_image === null ? 'Add a photo' : 'Change the photo'}
          </label>
          <p id={`${id}-hint`} className="text-sm text-muted">
            JPEG, PNG or WebP, 5 MB or smaller. Where and when it was taken is removed.
          </p>
          <input
            ref={input}
            id={id}
            type="file"
            accept={PHOTO_TYPES.join(',')}
            aria-invalid={objection ? true : undefined}
            aria-describedby={objection ? `${id}-error ${id}-hint` : `${id}-hint`}
            onChange={({ target }) => {
              upload.reset()
              pick(target.files?.[0])
            }}
            className="min-h-11 max-w-full file:mr-3 file:min-h-11 file:rounded-field file:border file:border-solid file:border-field file:bg-surface file:px-4 file:font-semibold file:text-brand-deep"
          />
          {objection && (
            <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger">
              {objection}
            </p>
          )}
          <FailureNotice error={upload.error} title="The photo was not saved" />
          <FailureNotice error={remove.error} title="The photo was not removed" />
          {preview !== null && picked !== null && (
            <div className="flex flex-wrap gap-3">
              <Button isBusy={upload.isPending} onClick={() => upload.mutate(picked.file)}>
                {upload.isPending ? 'Uploading' : 'Save photo'}
              </Button>
              <Button variant="secondary" onClick={clear}>
                Discard
              </Button>
            </div>
          )}
          {picked === null && me.profile_image !== null && (
            <div>
              <Button variant="quiet" isBusy={remove.isPending} onClick={() => remove.mutate()}>
                Remove photo
              </Button>
            </div>
          )}
        </div>
      </div>
    </AccountSection>
  )
}
